// Launches whose CTAs write apart from each other, while some of their steps read wherever addresses say that
// nobody knows before: what the launch may write is kept, and that it was not read is seen on the way.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/memory/arena.h"
#include "emulator/memory/device_memory.h"

namespace wedjat::exec {

class KeptWrites {
 public:
  using Bytes = std::span<std::byte>;

  /// `written`: host memory, all that the launch may write, in any order. `indirect`: by Step::id, the steps
  /// that read where nobody knows; all others read nothing that another CTA writes. Throws std::bad_alloc.
  KeptWrites(std::vector<Bytes> written, std::vector<bool> indirect);

  /// What is kept is kept piece by piece, each once, by any thread, before the launch changes it.
  std::size_t pieces() const { return pieces_.size(); }
  void keep(std::size_t piece);
  /// Everything holds again what it held, once no thread is at work.
  void restore() const;

  /// What the step may read without asking again, of the allocation and around `bytes` at an address of it.
  /// Throws Abandoned where the launch may write.
  memory::Extent readable(std::uint32_t step_id, const memory::Extent& allocation, std::uint64_t address,
                          std::uint64_t bytes);
  /// Some step wanted to read what the launch may write.
  bool were_read() const { return were_read_; }

 private:
  struct Piece {
    Bytes from;
    std::byte* copy;
  };

  std::vector<Bytes> written_;  // in order, apart
  const std::vector<bool> indirect_;
  memory::Arena arena_;
  std::vector<Piece> pieces_;
  std::atomic<bool> were_read_{false};
};

}  // namespace wedjat::exec
