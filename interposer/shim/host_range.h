// One range of memory that host and device both see, with a copy of what the trace knows of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "traces/format/names.h"

namespace wedjat::interposer {

using TellChange = std::function<void(const std::byte* address, std::span<const std::byte> bytes)>;

// Calls `tell` for every run of bytes in which `now` differs from `known`, and takes them over into `known`.
// `address` is what the first byte is called.
void tell_changes(const std::byte* address, std::span<const std::byte> now, std::byte* known,
                  const TellChange& tell);

class HostRange {
 public:
  // The trace takes a new range for zeros; whatever else is there shows as a change at the next boundary.
  // Throws std::bad_alloc if there is no room for the copy.
  HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size);
  ~HostRange();
  HostRange(const HostRange&) = delete;
  HostRange& operator=(const HostRange&) = delete;

  traces::HostRangeKind kind() const { return kind_; }
  const std::byte* begin() const { return address_; }
  const std::byte* end() const { return address_ + size_; }
  std::size_t size() const { return size_; }

  // Calls `tell` for every run of changed bytes and takes them for known. Returns false if the memory is
  // gone.
  bool changes(const TellChange& tell);

  void learn(const std::byte* from,
             std::size_t size);  // the part of it that lies in this range is known as it is now

 private:
  traces::HostRangeKind kind_;
  std::byte* address_;
  std::size_t size_;
  std::byte* known_;
};

}  // namespace wedjat::interposer
