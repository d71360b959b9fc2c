// What freed device memory held. A driver does not clear what it hands out again, so a program that brings
// back bytes it never wrote (the padding of its structs) gets them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "emulator/memory/host_pages.h"

namespace wedjat::memory {

class Leftovers {
 public:
  Leftovers() = default;
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;

  /// All of it is forgotten once it would be more: bytes of host memory, those of a block until nothing of it
  /// is known.
  static constexpr std::uint64_t most = std::uint64_t{256} << 20;

  /// `host`, in `pages`, held [address, address + size). Nothing kept may overlap that.
  void keep(std::uint64_t address, std::uint64_t size, HostPages pages, const std::byte* host);
  /// Moves what is known of [address, address + size) to `to`; other bytes of it stay as they are.
  void move_to(std::byte* to, std::uint64_t address, std::uint64_t size);

 private:
  struct Piece {
    std::uint64_t size;
    std::shared_ptr<const HostPages> pages;
    const std::byte* host;
  };
  std::uint64_t bytes_ = 0;                // of the pages below, which count themselves out
  std::map<std::uint64_t, Piece> pieces_;  // by address; they do not overlap
};

}  // namespace wedjat::memory
