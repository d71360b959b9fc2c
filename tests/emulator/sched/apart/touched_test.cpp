// Random sums, against all threads of all CTAs one by one.
#include "emulator/sched/apart/touched.h"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <map>
#include <random>

using namespace wedjat::sched::apart;

namespace {

// Two axes of CTAs, two of threads.
constexpr std::uint8_t symbol_count = 4;
using Numbers = std::array<int, symbol_count>;

struct Case {
  Symbols symbols;
  Touched a, b;
};

Case random_case(std::mt19937& random) {
  const auto upto = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
  Case made;
  for (std::uint8_t i = 0; i < symbol_count; ++i)
    made.symbols.push_back({i < 2 ? Symbol::Kind::cta : Symbol::Kind::thread, upto(3)});
  // Steps of a kernel have factors in common, and sums of them.
  std::array<int, symbol_count> factors{};
  for (int& factor : factors) factor = (upto(1) == 0 ? 1 : 4) * upto(12) * (upto(7) == 0 ? -1 : 1);
  const auto access = [&](bool other_factors) {
    Touched made_here{.base = upto(40), .bytes = 1 << upto(2), .digits = {}, .writes = true};
    std::array<bool, symbol_count> done{};
    for (std::uint8_t i = 0; i < symbol_count; ++i) {
      if (done[i]) continue;
      const int factor = other_factors && upto(3) == 0 ? upto(12) : factors[i];
      Digit digit{Linear::of(i), factor, {0, made.symbols[i].most}};
      const std::uint8_t next = i + 1;
      if (next < symbol_count && upto(4) == 0) {
        const int times = 1 + upto(3);
        REQUIRE(digit.form.add(Linear::of(next), times));
        digit.range.most += made.symbols[next].most * times;
        done[next] = true;
      }
      // A condition says more of some.
      if (upto(3) == 0) digit.range.most = std::max<Wide>(digit.range.most - 1, 0);
      if (upto(5) == 0) digit.range.least = std::min<Wide>(digit.range.least + 1, digit.range.most);
      made_here.digits.push_back(digit);
    }
    return made_here;
  };
  made.a = access(false);
  made.b = upto(3) == 0 ? made.a : access(upto(1) == 0);
  made.b.base = made.a.base + (upto(1) == 0 ? 0 : upto(90) - 45);
  return made;
}

// By CTA, what is touched.
std::multimap<int, std::array<int, 2>> bytes_of(const Case& made, const Touched& touched) {
  std::multimap<int, std::array<int, 2>> bytes;
  Numbers at{};
  const std::function<void(std::uint8_t)> each = [&](std::uint8_t symbol) {
    if (symbol < symbol_count) {
      for (at[symbol] = 0; at[symbol] <= made.symbols[symbol].most; ++at[symbol]) each(symbol + 1);
      return;
    }
    Wide address = touched.base;
    for (const Digit& digit : touched.digits) {
      Wide value = 0;
      for (const Term& term : digit.form.terms()) value += Wide{term.factor} * at[term.symbol];
      if (value < digit.range.least || value > digit.range.most) return;
      address += value * digit.factor;
    }
    for (int i = 0; i < touched.bytes; ++i) bytes.insert({static_cast<int>(address) + i, {at[0], at[1]}});
  };
  each(0);
  return bytes;
}

bool meet(const Case& made) {
  const auto of_a = bytes_of(made, made.a), of_b = bytes_of(made, made.b);
  for (const auto& [byte, cta] : of_a)
    for (auto [other, end] = of_b.equal_range(byte); other != end; ++other)
      if (other->second != cta) return true;
  return false;
}

}  // namespace

TEST_CASE("what is shown to be apart is apart") {
  std::mt19937 random(1);
  unsigned apart = 0, shown = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Case made = random_case(random);
    const bool are = !meet(made), said = are_apart(made.a, made.b, made.symbols);
    CAPTURE(i);
    REQUIRE((are || !said));
    apart += are ? 1 : 0;
    shown += said ? 1 : 0;
  }
  // Most random sums are no numbers that can be written down.
  CHECK(shown > apart / 8);
  MESSAGE(shown, " of ", apart, " shown");
}
