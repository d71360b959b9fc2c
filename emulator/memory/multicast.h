// Addresses that stand for several places in device memory at once, one on each device of a team (CUDA driver
// API 6.16, multicast objects). Only multimem instructions may use them.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace wedjat::memory {

/// Filled by who makes the objects (replay: from cuMulticastBindMem); not changed while a kernel runs.
class MulticastTable {
 public:
  struct Range {
    std::uint64_t size = 0;             ///< bytes
    std::vector<std::uint64_t> places;  ///< device addresses of the first byte, in the order of the team
  };

  /// Throws Error if the range is empty, has no place or overlaps another one.
  void bind(std::uint64_t address, Range range);
  /// Nothing happens if no range begins there.
  void unbind(std::uint64_t address) { ranges_.erase(address); }
  /// Where a byte lies: `offset` behind each of `first`.
  struct Places {
    std::span<const std::uint64_t> first;
    std::uint64_t offset = 0;
  };
  /// Places of the byte at `address`: `first` is empty if it is no multicast address. Good until the range is
  /// unbound.
  Places places(std::uint64_t address) const;
  bool empty() const { return ranges_.empty(); }

 private:
  std::map<std::uint64_t, Range> ranges_;
};

}  // namespace wedjat::memory
