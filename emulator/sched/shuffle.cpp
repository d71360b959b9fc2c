#include "emulator/sched/shuffle.h"

#include <algorithm>
#include <numeric>

namespace wedjat::sched {

namespace {

// SplitMix64.
std::uint64_t scrambled(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

}  // namespace

std::uint64_t Shuffle::at(std::uint64_t place, std::uint64_t count) const {
  if (number_ == 1) return count - 1 - place;
  std::uint64_t stride = scrambled(number_) % count + 1;
  while (std::gcd(stride, count) != 1) ++stride;
  return (place * stride + scrambled(number_ + 1) % count) % count;
}

std::int64_t Shuffle::share(std::uint64_t turn, std::int64_t most) const {
  constexpr unsigned longest = 12;  // powers of two
  return number_ == 1 ? most : std::int64_t{1} << scrambled(number_ + turn) % (longest + 1);
}

std::uint64_t shuffled(std::uint32_t number, std::uint64_t place, std::uint64_t count,
                       std::uint64_t at_once) {
  const std::uint64_t first = place / at_once * at_once;
  return first + Shuffle(number).at(place - first, std::min(at_once, count - first));
}

}  // namespace wedjat::sched
