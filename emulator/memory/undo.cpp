#include "emulator/memory/undo.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace wedjat::memory {

namespace {

constexpr std::size_t page = 4096, first_chunk = 16 * page, largest_chunk = 4u << 20;

}  // namespace

bool Undo::keep(std::byte* at, std::size_t size) {
  Shard& shard = shards_[reinterpret_cast<std::uintptr_t>(at) / page % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  if (shard.kept.contains(at)) return true;
  if (bytes_.fetch_add(size, std::memory_order_relaxed) + size > limit_) return false;
  try {
    if (size > shard.left) {
      const std::size_t grown = shard.chunks.empty() ? first_chunk : 2 * shard.chunks.back().size();
      shard.chunks.emplace_back(std::max(size, std::min(grown, largest_chunk)));
      shard.next = shard.chunks.back().data();
      shard.left = shard.chunks.back().size();
    }
    shard.pieces.push_back({at, shard.next, size});
    shard.kept.insert(at);
  } catch (const std::bad_alloc&) {
    return false;
  }
  std::memcpy(shard.next, at, size);
  shard.next += size;
  shard.left -= size;
  return true;
}

void Undo::restore() const {
  for (const Shard& shard : shards_)
    for (const Piece& piece : shard.pieces) std::memcpy(piece.at, piece.copy, piece.size);
}

}  // namespace wedjat::memory
