#include "traces/order/addition_order.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <unordered_map>

namespace wedjat::traces {
namespace {

constexpr std::size_t all_orders = 12;                // of so many numbers
constexpr std::uint64_t most_additions = 60'000'000;  // of more

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

using Order = std::vector<std::uint32_t>;

// The sums every subset can have, with the number added last.
std::optional<Order> try_all(SumOf sum, std::uint64_t start, std::span<const Addend> addends,
                             std::uint64_t wanted) {
  const auto count = static_cast<unsigned>(addends.size());
  std::vector<std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>>> sums(std::size_t{1}
                                                                                               << count);
  sums[0][start] = {0, 0};
  const auto may_follow = [&](std::size_t set, unsigned i) {
    for (unsigned j = 0; j < count; ++j) {
      if (j == i || (set >> j & 1) != 0) continue;
      if (addends[j].launch < addends[i].launch) return false;
      if (j < i && addends[j].launch == addends[i].launch && addends[j].thread == addends[i].thread)
        return false;
    }
    return true;
  };
  for (std::size_t set = 0; set + 1 < sums.size(); ++set) {
    if (sums[set].empty()) continue;
    for (unsigned i = 0; i < count; ++i) {
      if ((set >> i & 1) != 0 || !may_follow(set, i)) continue;
      for (const auto& [value, how] : sums[set])
        sums[set | std::size_t{1} << i].try_emplace(sum(value, addends[i].bits), value, i);
    }
  }
  if (!sums.back().contains(wanted)) return {};
  Order order;
  std::uint64_t value = wanted;
  for (std::size_t set = sums.size() - 1; set != 0;) {
    const auto [before, last] = sums[set].at(value);
    order.push_back(last);
    set &= ~(std::size_t{1} << last);
    value = before;
  }
  std::ranges::reverse(order);
  return order;
}

// Within each launch: threads' additions shuffled, each thread's own in order.
void restore_program_order(std::span<const Addend> addends, Order& order) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < order.size(); ++i)
    places[{addends[order[i]].launch, addends[order[i]].thread}].push_back(i);
  for (const auto& [who, at] : places) {
    if (at.size() < 2) continue;
    std::vector<std::uint32_t> own;
    for (std::size_t i : at) own.push_back(order[i]);
    std::ranges::sort(own);
    for (std::size_t i = 0; i < at.size(); ++i) order[at[i]] = own[i];
  }
}

bool repeats_threads(std::span<const Addend> addends) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> seen;
  return std::ranges::any_of(addends, [&](const Addend& a) { return ++seen[{a.launch, a.thread}] > 1; });
}

std::optional<Order> try_many(SumOf sum, std::uint64_t start, std::span<const Addend> addends,
                              std::uint64_t wanted) {
  Order order(addends.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const bool repeats = repeats_threads(addends);
  std::mt19937_64 random(1);
  for (std::uint64_t tried = 0; tried < most_additions; tried += addends.size()) {
    for (auto begin = order.begin(); begin != order.end();) {
      const std::uint64_t launch = addends[*begin].launch;
      const auto end =
          std::find_if(begin, order.end(), [&](std::uint32_t i) { return addends[i].launch != launch; });
      std::shuffle(begin, end, random);
      begin = end;
    }
    if (repeats) restore_program_order(addends, order);
    std::uint64_t value = start;
    for (const std::uint32_t i : order) value = sum(value, addends[i].bits);
    if (value == wanted) return order;
  }
  return {};
}

}  // namespace

std::uint64_t sum_f32(std::uint64_t a, std::uint64_t b) {
  const auto number = [](std::uint64_t bits) {
    return flushed(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  };
  return std::bit_cast<std::uint32_t>(flushed(number(a) + number(b)));
}

std::uint64_t sum_f64(std::uint64_t a, std::uint64_t b) {
  return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
}

std::optional<std::vector<std::uint32_t>> find_order(SumOf sum, std::uint64_t start,
                                                     std::span<const Addend> addends, std::uint64_t wanted) {
  return addends.size() <= all_orders ? try_all(sum, start, addends, wanted)
                                      : try_many(sum, start, addends, wanted);
}

}  // namespace wedjat::traces
