#include "emulator/memory/undo.h"

#include <cstring>
#include <new>

namespace wedjat::memory {

bool Undo::keep(std::byte* at, std::size_t size) {
  const auto key = reinterpret_cast<std::uintptr_t>(at);
  Shard& shard = shards_[key / 4096 % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  try {
    const auto [copy, is_new] = shard.copies.try_emplace(key);
    if (!is_new) return copy->data != nullptr;
    if (bytes_.fetch_add(size, std::memory_order_relaxed) + size > limit_) return false;
    *copy = {shard.arena.take(size), size};
    std::memcpy(copy->data, at, size);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void Undo::restore() const {
  for (const Shard& shard : shards_)
    shard.copies.for_each([](std::uintptr_t at, const Copy& copy) {
      if (copy.data != nullptr) std::memcpy(reinterpret_cast<std::byte*>(at), copy.data, copy.size);
    });
}

}  // namespace wedjat::memory
