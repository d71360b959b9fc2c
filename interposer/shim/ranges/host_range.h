// One range of memory that host and device both see, with a copy of what the trace knows of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interposer/shim/ranges/comparison.h"
#include "interposer/shim/ranges/page_watch.h"
#include "traces/format/names.h"

namespace wedjat::interposer {

// How closely a range is looked at.
enum class Look {
  whole,         // every byte
  host,          // what the host can have written, while the device works
  host_at_rest,  // the same, while the device does not
};

// Reads managed memory where the device has it, instead of fetching it, in parts that come one after another.
// False if that cannot be done now.
using TakePart = std::function<void(std::span<const std::byte> part)>;
using ReadDevice = std::function<bool(const std::byte* from, std::size_t size, const TakePart& take)>;

class HostRange {
 public:
  // The trace takes a new range for zeros; whatever else is there shows as a change at the next boundary.
  // Throws std::bad_alloc if there is no room for the copy.
  HostRange(traces::HostRangeKind kind, std::byte* address, std::size_t size, FaultAccount& faults);

  // Has other threads make room for what will be known of the first so many bytes.
  void prepare(std::size_t size, traces::Workers& workers) { known_.prepare(size, workers); }

  traces::HostRangeKind kind() const { return kind_; }
  // Without a page fault there is nothing to see but for a look at the whole.
  bool is_silent() const { return watch_ && watch_->silent(); }
  // Of which pages it learns by their faults: at both ends they may hold parts of other ranges too.
  const WriteWatch* watch() const { return watch_.get(); }
  WriteWatch* watch() { return watch_.get(); }
  const std::byte* begin() const { return address_; }
  const std::byte* end() const { return address_ + size_; }
  std::size_t size() const { return size_; }

  // Asks the kernel what changes() needs to know of what the host wrote: of several ranges at a time, as it
  // takes a while. `quiet`: the host took no page fault since the last look that this range saw or could do
  // without. `look`: its number.
  void ask(bool quiet, std::uint64_t look, const PageRuns& open);
  // What asking found written in pages that hold other memory too, and what another range's asking found:
  // pages that two share are told of to the first who asks.
  PageRuns written_beside() const;
  void also_written(const PageRuns& runs);
  // Has compared what may have changed, as asked before. `wait`: see learned(). False if the memory is gone.
  bool changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison, std::uint64_t wait = 0);
  // The same of that part of these pages which lies in it.
  void compare(const std::byte* first, const std::byte* last, Comparison& comparison);
  // Whether that part holds what is known.
  bool is_same(const std::byte* first, const std::byte* last) const;

  // Makes room for what will become known of a part that lies in this range, where there is none; any thread
  // may, beside others.
  bool has_room(std::span<const std::byte> part) const {
    return !known_.is_untouched(part.data(), part.size());
  }
  void make_room(std::span<const std::byte> part) const { known_.make_room(part.data(), part.size()); }
  // The part of it that lies in this range is known as it is now.
  void learn(const std::byte* from, std::size_t size, traces::Workers& workers);
  // The same of a part that lies in this range whole; what it holds is to be copied to where the result says.
  // A look at the whole by the same `wait`, in which the device has not written there again, leaves it out.
  std::byte* learned(const std::byte* from, std::size_t size, std::uint64_t wait);

 private:
  bool graph_changes(Comparison& comparison);
  void pinned_changes(Look look, Comparison& comparison, std::uint64_t wait);
  void compare(const PageRuns& runs, Comparison& comparison);
  void compare_device(const std::byte* first, const std::byte* last, const ReadDevice& read,
                      Comparison& comparison);
  void compare_here(const std::byte* first, const std::byte* last, Comparison& comparison);
  void managed_changes(Look look, bool quiet, const ReadDevice& read, Comparison& comparison);
  std::optional<PageRuns> still_present() const;
  PageRuns inside(const PageRuns& runs) const;

  traces::HostRangeKind kind_;
  std::byte* address_;
  std::size_t size_;
  KnownMemory known_;
  std::unique_ptr<WriteWatch> watch_;
  using Written = std::optional<PageRuns>;  // nothing if the kernel does not say
  std::optional<Written> answer_;           // nothing if it needed not be asked
  PageRuns present_;                        // at the last look at managed memory
  std::uint64_t wait_ = 0;                  // the last one that something was learned by, and what
  PageRuns learned_;
};

}  // namespace wedjat::interposer
