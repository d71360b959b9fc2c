// Which bytes of device memory a stretch of CTAs touched, and how.
#pragma once
#include <array>
#include <cstdint>
#include <utility>

#include "emulator/memory/address_table.h"
#include "emulator/memory/arena.h"

namespace wedjat::exec {

/// When its CTAs ran, as sched/README.md says.
enum class Phase : std::uint8_t {
  before,  ///< one CTA after the other, each before its first turn, or in a launch without turns
  turn,    ///< CTAs that had the turn
  after,   ///< one CTA, without the turn that it had once
};

/// How bytes were touched: reads, writes, and updates by one operation that commutes with itself.
struct Touch {
  static constexpr std::uint8_t read = 0, write = 1, first_update = 2, kinds = 64;
  static bool conflict(std::uint8_t a, std::uint8_t b) {
    if (a == read && b == read) return false;
    return a != b || a == write;
  }
};

/// 4 KiB of host memory, or what an allocation has of them.
struct TouchedPage {
  static constexpr std::uintptr_t bytes = 4096;
  static constexpr unsigned line = 64, lines = bytes / line;
  /// Of who touched a line: the least and greatest index of its clusters, and how many clusters had begun
  /// their turns, at least.
  struct Stamp {
    std::uint32_t least = ~0u, greatest = 0, turned = ~0u;
  };

  /// Of a word of 4 bytes, the only cluster that touched it; or `nobody`, or `several`.
  static constexpr std::uint32_t nobody = ~0u, several = ~0u - 1;
  using Owners = std::array<std::uint32_t, bytes / 4>;

  std::array<std::uint64_t, lines> touched{};  ///< one bit a byte
  std::array<Stamp, lines>* stamps = nullptr;  ///< of launches that take turns
  Owners* owners = nullptr;                    ///< of launches whose clusters are to be told apart
};

class Footprint {
 public:
  /// `key`: where the page, or what the allocation has of it, begins, a multiple of 64; plus the Touch.
  using Pages = memory::AddressTable<TouchedPage*>;

  Footprint(Phase of, bool stamped, bool owned) : phase(of), stamped_(stamped), owned_(owned) {}

  /// The page of this key and whether it is new.
  std::pair<TouchedPage*, bool> page(std::uintptr_t key) {
    auto& [known, page] = recent_[(key / TouchedPage::bytes ^ key) % recent_.size()];
    if (known == key) [[likely]]
      return {page, false};
    const auto found = look_up(key);
    known = key;
    page = found.first;
    return found;
  }
  const Pages& pages() const { return index_; }

  const Phase phase;

 private:
  std::pair<TouchedPage*, bool> look_up(std::uintptr_t key);

  const bool stamped_, owned_;
  std::array<std::pair<std::uintptr_t, TouchedPage*>, 64> recent_{};
  memory::Arena storage_;
  Pages index_;
};

}  // namespace wedjat::exec
