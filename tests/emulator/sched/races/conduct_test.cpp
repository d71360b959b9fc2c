// What earlier launches of a kernel say of the next one.
#include "emulator/sched/races/conduct.h"

#include <doctest/doctest.h>

#include <functional>

using wedjat::sched::Conduct;

namespace {

// Seconds that a launch takes.
using Time = std::function<double(unsigned launch, bool on_one)>;

struct Launches {
  unsigned alone = 0;
  double seconds = 0;
};

Launches run(Conduct& conduct, unsigned threads, unsigned count, const Time& time) {
  Launches all;
  for (unsigned launch = 0; launch < count; ++launch) {
    const bool on_one = conduct.is_faster_alone(threads);
    const double seconds = time(launch, on_one);
    conduct.took(on_one, seconds, 1000);
    all.alone += on_one;
    all.seconds += seconds;
  }
  return all;
}

Time takes(double together, double alone) {
  return [=](unsigned, bool on_one) { return on_one ? alone : together; };
}

}  // namespace

TEST_CASE("short launches run where they take less, which is asked anew now and then") {
  Conduct conduct;
  CHECK_FALSE(conduct.is_faster_alone(2));
  CHECK(run(conduct, 2, 640, takes(0.008, 0.004)).alone > 620);
  // It was so; now it is not.
  CHECK(run(conduct, 2, 64 * 3, takes(0.001, 0.004)).alone < 64 * 3 - 60);
  CHECK(run(conduct, 2, 640, takes(0.001, 0.004)).alone < 10);
}

TEST_CASE("to ask costs little of what all launches take, however few they are") {
  for (const unsigned threads : {2u, 16u})
    for (const unsigned count : {1u, 4u, 10u, 40u, 100u, 640u}) {
      Conduct one;
      CHECK(run(one, threads, count, takes(0.001, 0.001 * threads)).seconds <=
            0.0014 * count + 0.001 * threads);
      Conduct several;
      CHECK(run(several, threads, count, takes(0.002, 0.001)).seconds <=
            0.001 * count + 0.0021 * 2 * threads + 0.01);
    }
}

TEST_CASE("that the first launches had no native code says nothing of later ones") {
  Conduct conduct;
  const auto time = [](unsigned launch, bool on_one) {
    return launch < 5 ? (on_one ? .120 : .060) : on_one ? .015 : .008;
  };
  CHECK(run(conduct, 2, 64, time).alone <= 16);
  // On several threads it was made in the first, which took long.
  Conduct first;
  const auto once = [](unsigned launch, bool on_one) { return launch == 0 ? .090 : on_one ? .015 : .008; };
  CHECK(run(first, 2, 64, once).alone <= 16);
}

TEST_CASE("a long launch is never tried on one thread, but one that became long on several") {
  Conduct conduct;
  CHECK(run(conduct, 2, 200, takes(2, 1)).alone == 0);
  CHECK(run(conduct, 2, 50, takes(.008, .004)).alone > 30);
  CHECK(run(conduct, 2, 50, takes(.2, .4)).alone < 25);
}
