// A copy of a range of memory, as the trace knows it: zeros at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interposer/shim/ranges/page_faults.h"
#include "traces/format/workers.h"

namespace wedjat::interposer {

class KnownMemory {
 public:
  // Of so many bytes from `address` on. `faults` is told of the page faults that the copy takes. Throws
  // std::bad_alloc if there is no room for it.
  KnownMemory(const std::byte* address, std::size_t size, FaultAccount& faults);
  ~KnownMemory();
  KnownMemory(const KnownMemory&) = delete;
  KnownMemory& operator=(const KnownMemory&) = delete;

  std::byte* at(const std::byte* address) const { return copy_ + (address - address_); }
  // Whether nothing but zeros was known of these bytes, ever: then the copy need not be read.
  bool is_untouched(const std::byte* from, std::size_t size) const;
  // Waits for readers of the copy of these bytes; any thread may.
  void will_change(const std::byte* from, std::size_t size) const;
  // Something else becomes known of them: nobody reads what was, and the memory for it is there when this
  // returns.
  void touch(const std::byte* from, std::size_t size);
  // Has other threads make room for the first so many bytes, before anything is known of them.
  void prepare(std::size_t size, traces::Workers& workers);
  // Only makes room, for several threads at a time: touch() has to follow.
  void make_room(const std::byte* from, std::size_t size) const;

 private:
  std::span<const std::uint8_t> blocks(const std::byte* from, std::size_t size) const;

  const std::byte* const address_;
  const std::size_t size_;
  FaultAccount& faults_;
  std::byte* copy_;
  std::vector<std::uint8_t> touched_;  // by block
};

}  // namespace wedjat::interposer
