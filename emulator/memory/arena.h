// Host memory for what is noted while a launch runs. Fresh pages cost a fault each, so they outlive who used
// them and serve the next.
#pragma once
#include <cstddef>
#include <vector>

#include "emulator/memory/host_pages.h"

namespace wedjat::memory {

/// Gives memory piece by piece, and takes all of it back at the end of its life.
class Arena {
 public:
  static constexpr std::size_t largest = std::size_t{1} << 20;

  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = delete;
  ~Arena();

  /// Aligned to 64; it holds anything. At most `largest` bytes. Throws std::bad_alloc.
  std::byte* take(std::size_t bytes);

 private:
  std::vector<HostPages> chunks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace wedjat::memory
