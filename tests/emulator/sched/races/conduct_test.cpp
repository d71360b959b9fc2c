// What earlier launches of a kernel say of the next one.
#include "emulator/sched/races/conduct.h"

#include <doctest/doctest.h>

using wedjat::sched::Conduct;

TEST_CASE("short launches run where they take less, which is asked anew now and then") {
  Conduct conduct;
  CHECK_FALSE(conduct.is_faster_alone());
  conduct.took(false, 0.008, 1000);
  CHECK(conduct.is_faster_alone());
  conduct.took(true, 0.004, 2000);
  unsigned alone = 0;
  for (int i = 0; i < 640; ++i) alone += conduct.is_faster_alone();
  CHECK(alone == 630);
  conduct.took(false, 0.001, 1000);
  alone = 0;
  for (int i = 0; i < 640; ++i) alone += conduct.is_faster_alone();
  CHECK(alone == 10);
}

TEST_CASE("a long launch is never tried on one thread") {
  Conduct conduct;
  conduct.took(false, 2, 1000);
  for (int i = 0; i < 200; ++i) CHECK_FALSE(conduct.is_faster_alone());
}
