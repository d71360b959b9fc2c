#include "emulator/memory/surroundings.h"

#include <algorithm>

namespace wedjat::memory {

bool Surroundings::clear(std::uint64_t address, std::uint64_t size) {
  bool was_filled = false;
  for (auto at = beside_.begin(); at != beside_.end();) {
    if (at->first < address + size && address < at->second) {
      memory_.free(at->first);
      at = beside_.erase(at);
      was_filled = true;
    } else {
      ++at;
    }
  }
  return was_filled;
}

void Surroundings::fill(std::uint64_t address, std::uint64_t size) {
  keep(address, size);
  const std::uint64_t begin = address / page * page - page,
                      end = (address + size + page - 1) / page * page + page;
  clear(begin, end - begin);
  std::uint64_t free = begin;
  const auto add = [&](std::uint64_t until) {
    if (free >= until) return;
    memory_.allocate_at(free, until - free, "beside other memory");
    beside_[free] = until;
  };
  for (const auto& [first, last] : taken_) {
    if (last <= begin || first >= end) continue;
    add(first);
    free = std::max(free, last);
  }
  add(end);
}

void Surroundings::fill_all() {
  const Ranges all = taken_;
  for (const auto& [first, last] : all) fill(first, last - first);
}

}  // namespace wedjat::memory
