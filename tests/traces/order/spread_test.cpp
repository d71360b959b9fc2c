#include "traces/order/spread.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

using wedjat::traces::Spread;

namespace {

template <class... Values>
std::vector<std::byte> bytes(Values... values) {
  std::vector<std::byte> all((sizeof values + ...));
  std::size_t at = 0;
  ((std::memcpy(&all[at], &values, sizeof values), at += sizeof values), ...);
  return all;
}

}  // namespace

TEST_CASE("floats are compared as numbers") {
  Spread spread("st.global.f32");
  spread.add(bytes(-2.f));
  spread.add(bytes(1.f));
  for (const float inside : {-2.f, -0.5f, -0.f, 0.f, 1e-40f, 1.f}) CHECK(spread.holds(bytes(inside)));
  for (const float outside : {-2.5f, 1.5f, -INFINITY, INFINITY, NAN})
    CHECK_FALSE(spread.holds(bytes(outside)));
  Spread wide("atom.global.add.f64");
  wide.add(bytes(-1e300));
  wide.add(bytes(1e300));
  CHECK(wide.holds(bytes(3.)));
  CHECK_FALSE(wide.holds(bytes(-1.1e300)));
}

TEST_CASE("integers are signed if the instruction says so, and each element of a vector counts") {
  Spread spread("st.shared.s32"), plain("st.shared.u32");
  for (Spread* each : {&spread, &plain}) {
    each->add(bytes(-1));
    each->add(bytes(5));
  }
  CHECK(spread.holds(bytes(0)));
  CHECK_FALSE(spread.holds(bytes(6)));
  CHECK(plain.holds(bytes(6)));
  CHECK_FALSE(plain.holds(bytes(0)));
  Spread two("st.global.v2.f32");
  two.add(bytes(1.f, 10.f));
  two.add(bytes(2.f, 20.f));
  CHECK(two.holds(bytes(1.5f, 15.f)));
  CHECK_FALSE(two.holds(bytes(1.5f, 25.f)));
}

TEST_CASE("bytes without a type are compared one by one") {
  Spread spread;
  spread.add(bytes(std::uint8_t{7}));
  CHECK(spread.holds(bytes(std::uint8_t{7})));
  CHECK_FALSE(spread.holds(bytes(std::uint8_t{8})));
}
