#include "emulator/memory/leftovers.h"

#include <algorithm>
#include <cstring>

namespace wedjat::memory {

void Leftovers::keep(std::uint64_t address, std::uint64_t size, HostPages pages, const std::byte* host) {
  if (bytes_ + size > most) {
    pieces_.clear();
    bytes_ = 0;
  }
  if (size > most) return;
  pieces_[address] = {size, std::make_shared<const HostPages>(std::move(pages)), host};
  bytes_ += size;
}

void Leftovers::move_to(std::byte* to, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  auto at = pieces_.upper_bound(address);
  if (at != pieces_.begin() && std::prev(at)->first + std::prev(at)->second.size > address) --at;
  while (at != pieces_.end() && at->first < end) {
    const auto [begin, piece] = *at;
    const std::uint64_t first = std::max(begin, address), last = std::min(begin + piece.size, end);
    std::memcpy(to + (first - address), piece.host + (first - begin), last - first);
    bytes_ -= last - first;
    at = pieces_.erase(at);
    if (begin < first) pieces_[begin] = {first - begin, piece.pages, piece.host};
    if (last < begin + piece.size)
      pieces_[last] = {begin + piece.size - last, piece.pages, piece.host + (last - begin)};
  }
}

}  // namespace wedjat::memory
