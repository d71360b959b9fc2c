// All memory that host and device both see, by address: where the host wrote since the last look at it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "interposer/shim/ranges/comparison.h"
#include "interposer/shim/ranges/host_range.h"
#include "interposer/shim/ranges/open_pages.h"
#include "interposer/shim/ranges/page_faults.h"

namespace wedjat::interposer {

class HostRanges {
 public:
  std::size_t count() const { return count_.load(); }  // for any thread; all else is for one at a time
  std::size_t bytes() const { return bytes_; }

  // See HostRange. A range that begins where another one does takes its place.
  HostRange& add(traces::HostRangeKind kind, std::byte* address, std::size_t size);
  void remove(HostRange& range);
  // That in which the address lies, or null.
  HostRange* at(const std::byte* address) const;
  HostRange* beginning_at(const std::byte* address) const;
  std::vector<HostRange*> every_one() const;
  std::vector<HostRange*> graphs() const;  // those that graphs copy from and to

  // A look begins. True if there are ranges and nothing can have changed: then it is over, else look()
  // follows.
  bool begin_look(Look look);
  struct Task {
    Look look;
    std::span<const std::byte> pointers;  // that the call hands over: the host has probably written there
    bool (*may_look)(const HostRange&);
    bool graphs;          // whether what graphs copy from and to may change
    bool pages_may_come;  // of managed memory, to the host without its fault
    ReadDevice read;
    std::uint64_t wait;  // see HostRange::learned()
  };
  struct Result {
    bool complete;                 // false if some range could not be looked at
    std::vector<HostRange*> gone;  // whose memory is not there any more
  };
  // Has everything compared that may have changed.
  Result look(const Task& task, Comparison& comparison);
  // The last look found that the host had written there.
  void host_wrote_at(const std::byte* address);

 private:
  bool is_watched_at(const std::byte* page) const;
  std::vector<HostRange*> those_at(const std::byte* first, const std::byte* last) const;
  const std::vector<HostRange*>& those_loud();
  bool look_nearby(std::span<const std::byte> pointers, Comparison& comparison);
  bool look_within(std::size_t size, std::span<const std::byte> pointers, Comparison& comparison,
                   std::uint64_t& faults);
  std::uint64_t look_near(HostRange& range, const std::byte* address, std::size_t within,
                          Comparison& comparison);
  void look_at_open(Comparison& comparison);
  void ask(const std::vector<HostRange*>& which, bool quiet, Comparison& comparison);
  void compare(const PageRuns& written, Comparison& comparison);
  void changed();

  std::map<const std::byte*, std::unique_ptr<HostRange>> by_address_;
  std::atomic<std::size_t> count_{0};
  std::size_t bytes_ = 0;
  std::size_t graphs_ = 0;
  std::vector<HostRange*> loud_;  // those that can change without a page fault, once known
  bool loud_known_ = false;
  std::uint64_t looks_ = 0;
  bool quiet_ = false;  // no page fault since the last look that is not explained
  FaultAccount faults_;
  OpenPages open_;
  std::array<const std::byte*, 4> written_{};  // where the host was last seen to write
};

}  // namespace wedjat::interposer
