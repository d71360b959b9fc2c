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
  Spread spread(4, WEDJAT_FLOAT);
  spread.add(bytes(-2.f));
  spread.add(bytes(1.f));
  for (const float inside : {-2.f, -0.5f, -0.f, 0.f, 1e-40f, 1.f}) CHECK(spread.holds(bytes(inside)));
  for (const float outside : {-2.5f, 1.5f, -INFINITY, INFINITY, NAN})
    CHECK_FALSE(spread.holds(bytes(outside)));
  Spread wide(8, WEDJAT_FLOAT);
  wide.add(bytes(-1e300));
  wide.add(bytes(1e300));
  CHECK(wide.holds(bytes(3.)));
  CHECK_FALSE(wide.holds(bytes(-1.1e300)));
}

TEST_CASE("integers are signed if the instruction says so, and each element of a vector counts") {
  Spread spread(4, WEDJAT_SIGNED), plain(4, WEDJAT_UNSIGNED);
  for (Spread* each : {&spread, &plain}) {
    each->add(bytes(-1));
    each->add(bytes(5));
  }
  CHECK(spread.holds(bytes(0)));
  CHECK_FALSE(spread.holds(bytes(6)));
  CHECK(plain.holds(bytes(6)));
  CHECK_FALSE(plain.holds(bytes(0)));
  Spread two(4, WEDJAT_FLOAT);
  two.add(bytes(1.f, 10.f));
  two.add(bytes(2.f, 20.f));
  CHECK(two.holds(bytes(1.5f, 15.f)));
  CHECK_FALSE(two.holds(bytes(1.5f, 25.f)));
}

TEST_CASE("an instruction writes its last register, part by part") {
  wedjat_operand address{}, pair{};
  address.kind = WEDJAT_ADDRESS, address.in = 1, address.bits = 64, address.parts = 1;
  pair.in = 1, pair.bits = 32, pair.parts = 2, pair.value = WEDJAT_FLOAT;
  const wedjat_operand operands[] = {address, pair};
  wedjat_instruction store{}, copy{};
  store.operands = operands, store.operand_count = 2;
  copy.operands = operands, copy.operand_count = 1;
  const std::uint16_t one = 0x3c00, two = 0x4000, three = 0x4200;  // f16
  Spread halves(store), untyped(copy);
  for (Spread* each : {&halves, &untyped}) {
    each->add(bytes(one, three));
    each->add(bytes(three, one));
  }
  CHECK(halves.holds(bytes(two, two)));
  CHECK_FALSE(halves.holds(bytes(two, std::uint16_t{0x4400})));
  CHECK_FALSE(untyped.holds(bytes(two, std::uint16_t{0x00ff})));
}

TEST_CASE("bytes without a type are compared one by one") {
  Spread spread;
  spread.add(bytes(std::uint8_t{7}));
  CHECK(spread.holds(bytes(std::uint8_t{7})));
  CHECK_FALSE(spread.holds(bytes(std::uint8_t{8})));
}
