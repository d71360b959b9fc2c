// Which addresses of a space nobody has: ranges are taken and given back, and neighbours that are free are
// one.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace wedjat::memory {

class FreeRanges {
 public:
  // All `bytes` from `begin` on are free.
  FreeRanges(std::uint64_t begin, std::uint64_t bytes);

  // The first free multiple of `alignment` from `from` on that has `bytes` behind it; absent: there is none.
  std::optional<std::uint64_t> take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t from = 0);
  // Just there; false: not all of it is free.
  bool take_at(std::uint64_t address, std::uint64_t bytes);
  void give_back(std::uint64_t address, std::uint64_t bytes);
  // How long the longest free range is.
  std::uint64_t longest() const;

 private:
  std::map<std::uint64_t, std::uint64_t> free_;  // address -> bytes
};

}  // namespace wedjat::memory
