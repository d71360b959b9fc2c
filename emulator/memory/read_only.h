// Memory that kernels may read and not write.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>

namespace wedjat::memory {

class ReadOnly {
 public:
  void add(std::uint64_t address, std::uint64_t bytes) { ranges_[address] = bytes; }
  void remove(std::uint64_t address) { ranges_.erase(address); }  // which may have been none
  bool empty() const { return ranges_.empty(); }
  bool holds(std::uint64_t address) const {
    const auto above = ranges_.upper_bound(address);
    return above != ranges_.begin() && address - std::prev(above)->first < std::prev(above)->second;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // address -> bytes
};

}  // namespace wedjat::memory
