#include "emulator/memory/arena.h"

#include <mutex>

namespace wedjat::memory {

namespace {

constexpr std::size_t chunk_bytes = Arena::largest;
// Of this process, for the next launch.
constexpr std::size_t most_spare = (std::size_t{256} << 20) / chunk_bytes;

struct Spare {
  std::mutex mutex;
  std::vector<HostPages> chunks;
};

Spare& spare() {
  static Spare all;
  return all;
}

HostPages take_chunk() {
  Spare& from = spare();
  {
    const std::lock_guard lock(from.mutex);
    if (!from.chunks.empty()) {
      HostPages chunk = std::move(from.chunks.back());
      from.chunks.pop_back();
      return chunk;
    }
  }
  return HostPages(chunk_bytes);
}

}  // namespace

Arena::~Arena() {
  if (chunks_.empty()) return;
  Spare& to = spare();
  const std::lock_guard lock(to.mutex);
  // The next one gets them in the same order: caches of the same processors may still hold them.
  for (; !chunks_.empty(); chunks_.pop_back())
    if (to.chunks.size() < most_spare) to.chunks.push_back(std::move(chunks_.back()));
}

std::byte* Arena::take(std::size_t bytes) {
  const std::size_t rounded =
      (bytes + HostPages::alignment - 1) / HostPages::alignment * HostPages::alignment;
  if (rounded > left_) {
    chunks_.push_back(take_chunk());
    next_ = chunks_.back().data();
    left_ = chunk_bytes;
  }
  std::byte* const piece = next_;
  next_ += rounded;
  left_ -= rounded;
  return piece;
}

}  // namespace wedjat::memory
