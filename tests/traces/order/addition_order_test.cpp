#include "traces/order/addition_order.h"

#include <doctest/doctest.h>

#include <bit>
#include <set>

using namespace wedjat::traces;

namespace {

std::uint64_t f32(float value) { return std::bit_cast<std::uint32_t>(value); }

std::vector<Addend> of_threads(const std::vector<float>& values) {
  std::vector<Addend> addends;
  for (const float value : values) addends.push_back({f32(value), 0, addends.size()});
  return addends;
}

std::uint64_t added(std::uint64_t start, const std::vector<Addend>& addends,
                    const std::vector<std::uint32_t>& order) {
  for (const std::uint32_t i : order) start = sum_f32(start, addends[i].bits);
  return start;
}

// 2^24 takes no 1 alone, but two at once.
const std::vector<Addend> large_and_ones = of_threads({0x1p24f, 1, 1});

}  // namespace

TEST_CASE("an order is found for every sum some order has, and for no other") {
  for (const float wanted : {0x1p24f, 0x1p24f + 2}) {
    const auto order = find_order(sum_f32, f32(0), large_and_ones, f32(wanted));
    REQUIRE(order);
    CHECK(std::set<std::uint32_t>(order->begin(), order->end()).size() == 3);
    CHECK(added(f32(0), large_and_ones, *order) == f32(wanted));
  }
  CHECK_FALSE(find_order(sum_f32, f32(0), large_and_ones, f32(0x1p24f + 4)));
}

TEST_CASE("a thread's own additions stay in its order, and launches too") {
  std::vector<Addend> one_thread = large_and_ones;
  for (Addend& addend : one_thread) addend.thread = 7;
  CHECK(find_order(sum_f32, f32(0), one_thread, f32(0x1p24f)));
  CHECK_FALSE(find_order(sum_f32, f32(0), one_thread, f32(0x1p24f + 2)));
  std::vector<Addend> two_launches = large_and_ones;
  two_launches[1].launch = two_launches[2].launch = 1;
  CHECK_FALSE(find_order(sum_f32, f32(0), two_launches, f32(0x1p24f + 2)));
}

TEST_CASE("of many numbers some order of every sum that is likely is found") {
  std::vector<float> values;
  for (int i = 0; i < 500; ++i) values.push_back(1.0f / static_cast<float>(i + 3));
  const std::vector<Addend> addends = of_threads(values);
  std::vector<std::uint32_t> backwards;
  for (std::uint32_t i = 500; i-- > 0;) backwards.push_back(i);
  std::uint64_t shuffled = 0;
  for (std::uint32_t i = 0; i < 500; ++i) shuffled = sum_f32(shuffled, addends[i * 7 % 500].bits);
  const auto order = find_order(sum_f32, 0, addends, shuffled);
  REQUIRE(order);
  CHECK(added(0, addends, *order) == shuffled);
  std::vector<Addend> one_thread = addends;
  for (Addend& addend : one_thread) addend.thread = 1;
  CHECK_FALSE(find_order(sum_f32, 0, one_thread, added(0, addends, backwards) + 1000));
}

TEST_CASE("sums are those of atomics in global memory") {
  CHECK(sum_f32(f32(0x1p-140f), f32(0)) == f32(0));
  CHECK(sum_f32(f32(-0x1p-127f), f32(-0x1p-127f)) == f32(-0.0f));
  CHECK(sum_f64(std::bit_cast<std::uint64_t>(0x1p-1070), 0) == std::bit_cast<std::uint64_t>(0x1p-1070));
}
