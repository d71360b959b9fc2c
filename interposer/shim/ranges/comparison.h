// Compares memory with what the trace knows of it: many places side by side, then what differs is told, place
// by place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "interposer/shim/ranges/known_memory.h"
#include "traces/format/workers.h"

namespace wedjat::interposer {

using TellChange = std::function<void(const std::byte* address, std::span<const std::byte> bytes)>;

// Calls `tell` for every run of bytes in which `now` differs from `known`, and takes them over into `known`.
// `address` is what the first byte is called.
void tell_changes(const std::byte* address, std::span<const std::byte> now, std::byte* known,
                  const TellChange& tell);

class Comparison {
 public:
  // `tell` must outlive it.
  Comparison(traces::Workers& workers, const TellChange& tell) : workers_(workers), tell_(tell) {}

  // `now` is what the memory at `address` holds: it may be that memory itself. Both must stay until finish().
  void add(KnownMemory& known, const std::byte* address, std::span<const std::byte> now);
  // Compares what was added, and tells of it.
  void finish();
  std::size_t bytes() const { return bytes_; }  // that were compared so far

  traces::Workers& workers() const { return workers_; }

 private:
  enum class Found : std::uint8_t { same, differs, differs_throughout };
  struct Place {
    KnownMemory* known;
    const std::byte* address;
    std::span<const std::byte> now;
    std::size_t first_block;
  };
  Found compare_block(const Place& place, std::size_t block) const;
  void tell_place(const Place& place, std::span<const Found> found) const;

  traces::Workers& workers_;
  const TellChange& tell_;
  std::vector<Place> places_;
  std::size_t blocks_ = 0, bytes_ = 0;
};

}  // namespace wedjat::interposer
