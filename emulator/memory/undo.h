// What memory held before a launch changed it.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "emulator/memory/address_table.h"
#include "emulator/memory/arena.h"

namespace wedjat::memory {

class Undo {
 public:
  /// Keeps at most `limit` bytes.
  explicit Undo(std::uint64_t limit) : limit_(limit) {}

  /// Keeps a piece of host memory, at most Arena::largest, unless it was kept already; pieces are the same or
  /// apart. Any thread may ask, each before it changes the piece. False: the limit is reached, or there is no
  /// memory for it.
  bool keep(std::byte* at, std::size_t size);
  /// All pieces hold again what they held; for one thread when no other is at work.
  void restore() const;

 private:
  struct Copy {
    std::byte* data = nullptr;
    std::size_t size = 0;
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    AddressTable<Copy> copies;  // by where they are from
    Arena arena;
  };

  const std::uint64_t limit_;
  std::atomic<std::uint64_t> bytes_{0};
  std::array<Shard, 4> shards_;
};

}  // namespace wedjat::memory
