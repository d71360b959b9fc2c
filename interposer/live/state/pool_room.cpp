#include "interposer/live/state/pool_room.h"

#include <algorithm>

namespace wedjat::live {

std::uint64_t PoolRoom::whole_units(std::uint64_t bytes) {
  constexpr std::uint64_t unit = std::uint64_t{32} << 20;
  return (bytes + unit - 1) / unit * unit;
}

std::uint64_t PoolRoom::end() const {
  return blocks_.empty() ? 0 : blocks_.rbegin()->first + blocks_.rbegin()->second;
}

std::uint64_t PoolRoom::place_for(std::uint64_t bytes) const {
  std::uint64_t place = 0;
  for (const auto& [begin, size] : blocks_) {
    if (begin - place >= bytes) break;
    place = begin + size;
  }
  return place;
}

std::uint64_t PoolRoom::reserved_with(std::uint64_t bytes) const {
  return std::max(reserved_, whole_units(place_for(bytes) + bytes));
}

void PoolRoom::take(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t place = place_for(bytes);
  blocks_[place] = bytes;
  places_[address] = place;
  used_ += bytes;
  most_used_ = std::max(most_used_, used_);
  reserved_ = std::max(reserved_, whole_units(end()));
  most_reserved_ = std::max(most_reserved_, reserved_);
}

void PoolRoom::give(std::uint64_t address) {
  const auto place = places_.find(address);
  if (place == places_.end()) return;
  const std::uint64_t bytes = blocks_.at(place->second);
  pending_end_ = std::max(pending_end_, place->second + bytes);
  used_ -= bytes;
  drop(address);
}

void PoolRoom::drop(std::uint64_t address) {
  const auto place = places_.extract(address);
  if (place) blocks_.erase(place.mapped());
}

void PoolRoom::settle(std::uint64_t threshold) {
  pending_end_ = 0;
  if (reserved_ > threshold) trim(threshold);
}

void PoolRoom::trim(std::uint64_t bytes) {
  reserved_ = std::min(reserved_, std::max(whole_units(std::max(end(), pending_end_)), whole_units(bytes)));
}

}  // namespace wedjat::live
