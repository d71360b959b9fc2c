// The live allocations of a context, by device address.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/memory/host_pages.h"
#include "emulator/memory/leftovers.h"
#include "emulator/memory/windows.h"

namespace wedjat::memory {

/// A request that cannot be met: an address that is taken, a range that is not allocated.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A live allocation as an access sees it.
struct Extent {
  std::uint64_t address = 0, size = 0;
  std::byte* host = nullptr;
  bool contains(std::uint64_t at, std::uint64_t bytes) const {
    return at - address < size && bytes <= size - (at - address);
  }
};

class DeviceMemory {
 public:
  /// Zeroed memory at exactly this device address. `label` names it in reports ("cuMemAlloc 3", "global
  /// lut"). Throws Error if size is 0, or the range overlaps a live allocation or a window.
  void allocate_at(std::uint64_t address, std::uint64_t size, std::string label);
  /// The same, but it holds what memory that was allocated so and freed held there.
  void allocate_again_at(std::uint64_t address, std::uint64_t size, std::string label);
  /// Memory of the host appears at this device address: who gives it keeps it until free(). `host` is aligned
  /// as the address is, to HostPages::alignment. Throws Error as allocate_at does.
  void adopt_at(std::uint64_t address, std::byte* host, std::uint64_t size, std::string label);
  /// Zeroed memory in array_window; its address. Throws Error.
  std::uint64_t allocate_array(std::uint64_t size);
  /// Throws Error unless a live allocation begins there.
  void free(std::uint64_t address);

  /// The live allocation that holds this byte. The host pages stay until free(). Any thread may ask.
  std::optional<Extent> find(std::uint64_t address) const;
  /// The live allocations that have bytes of [first, end), so many of them at most.
  std::vector<Extent> within(std::uint64_t first, std::uint64_t end, std::size_t limit) const;
  /// Host bytes of [address, address + size), which must lie in one live allocation; throws Error naming
  /// `what` and the nearest one.
  std::byte* host(std::uint64_t address, std::uint64_t size, std::string_view what) const;
  /// For reports: the allocation that holds, held (if freed) or comes nearest to the address, with the
  /// distance in bytes.
  std::string describe(std::uint64_t address) const;
  /// The address lies in no live allocation but in one that was freed.
  bool was_freed(std::uint64_t address) const;

  /// Grows with every free(): translations made before are void.
  std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

 private:
  struct Allocation {
    HostPages pages;  // none: the host's own
    std::byte* host;  // in pages; as aligned as the device address is, so that host atomics work wherever the
                      // device's do
    std::uint64_t size;
    std::string label;
    bool is_left = false;  // to whom comes next
  };
  struct Freed {
    std::uint64_t address, size;
    std::string label;
  };
  using Live = std::map<std::uint64_t, Allocation>;
  Live::const_iterator holder(std::uint64_t address) const;
  const Freed* freed_holder(std::uint64_t address) const;

  friend class Heap;
  void check_place(std::uint64_t address, std::uint64_t size, const std::string& label) const;
  void insert(std::uint64_t address, std::uint64_t size, std::string label, bool is_left = false,
              std::byte* adopted = nullptr);

  mutable std::shared_mutex mutex_;
  Live live_;
  Leftovers leftovers_;
  std::deque<Freed> freed_;  // the most recent last, a bounded number
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<std::uint64_t> next_array_{array_window.base};
};

}  // namespace wedjat::memory
