#include "emulator/memory/leftovers.h"

#include <algorithm>
#include <cstring>

namespace wedjat::memory {

void Leftovers::keep(std::uint64_t address, std::uint64_t size, HostPages pages, const std::byte* host) {
  if (size > most) return;
  if (bytes_ + size > most) pieces_.clear();
  bytes_ += size;
  const auto let_go = [this, size](const HostPages* block) {
    bytes_ -= size;
    delete block;
  };
  pieces_[address] = {size, std::shared_ptr<const HostPages>(new HostPages(std::move(pages)), let_go), host};
}

void Leftovers::move_to(std::byte* to, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  auto at = pieces_.upper_bound(address);
  if (at != pieces_.begin() && std::prev(at)->first + std::prev(at)->second.size > address) --at;
  while (at != pieces_.end() && at->first < end) {
    const auto [begin, piece] = *at;
    const std::uint64_t first = std::max(begin, address), last = std::min(begin + piece.size, end);
    std::memcpy(to + (first - address), piece.host + (first - begin), last - first);
    at = pieces_.erase(at);
    if (begin < first) pieces_[begin] = {first - begin, piece.pages, piece.host};
    if (last < begin + piece.size)
      pieces_[last] = {begin + piece.size - last, piece.pages, piece.host + (last - begin)};
  }
}

}  // namespace wedjat::memory
