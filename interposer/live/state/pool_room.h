// How much memory a pool has from the device, and how much of it programs have, as an H100 counts it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace wedjat::live {

// Blocks lie one behind the other in a range that grows and shrinks by whole units.
class PoolRoom {
 public:
  static std::uint64_t whole_units(std::uint64_t bytes);

  void take(std::uint64_t address, std::uint64_t bytes);
  // In the order of a stream: the pool has it again, and keeps its room until the host has waited.
  void give(std::uint64_t address);
  // By whoever waited himself: used() still counts it, as measured.
  void drop(std::uint64_t address);
  // The host has waited: what is beyond `threshold` goes back to the device.
  void settle(std::uint64_t threshold);
  void trim(std::uint64_t bytes);  // to so many at least
  // reserved(), were so many more taken.
  std::uint64_t reserved_with(std::uint64_t bytes) const;

  std::uint64_t used() const { return used_; }
  std::uint64_t most_used() const { return most_used_; }
  std::uint64_t reserved() const { return reserved_; }
  std::uint64_t most_reserved() const { return most_reserved_; }
  void forget_most_used() { most_used_ = used_; }
  void forget_most_reserved() { most_reserved_ = reserved_; }

 private:
  std::uint64_t end() const;  // of the last block
  std::uint64_t place_for(std::uint64_t bytes) const;

  std::map<std::uint64_t, std::uint64_t> blocks_;  // by place: bytes
  std::map<std::uint64_t, std::uint64_t> places_;  // by address
  std::uint64_t pending_end_ = 0;                  // of blocks that were given since the host waited
  std::uint64_t used_ = 0, most_used_ = 0, reserved_ = 0, most_reserved_ = 0;
};

}  // namespace wedjat::live
