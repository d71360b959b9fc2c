// How often this process took a page fault: where the first write to a page is one, no fault means no write,
// and as many faults as pages found written means that there are no others.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/shim/ranges/page_watch.h"
#include "interposer/shim/ranges/this_process.h"

namespace wedjat::interposer {

// Of all threads, so far.
std::uint64_t page_faults();

// At least so many faults it takes to write these pages, each protected before: one a page, or one for a huge
// page, which is written as a whole.
std::uint64_t least_faults(const PageRuns& written);

// From one look to the next. The count is read before a look begins: what happens during it belongs to the
// next one, and at worst makes that look at more than it needs.
class FaultAccount {
 public:
  // A look begins. False if a fault happened since the last one began, or nobody knows.
  bool quiet_since_last();
  // Whether the faults until now are no more than those that pages found written explain.
  bool all_explained(std::uint64_t faults) const {
    return known_ && page_faults() - last_ - own_.load() <= faults;
  }
  // The look is over: everything was looked at, or shown not to need it.
  void end();
  // So many more were the recorder's own. Of all threads that take part in a look.
  void add_own(std::uint64_t faults) { own_.fetch_add(faults); }
  // Around faults of the recorder's that no look waits for: what happened by then is not known.
  void aside_begins() { begun_.fetch_add(1); }
  void aside_ends() { ended_.fetch_add(1); }

 private:
  static constexpr std::uint64_t kUnderWay = ~std::uint64_t{0};
  ThisProcess process_;  // a child of fork counts anew
  bool known_ = false;
  std::uint64_t last_ = 0, now_ = 0;
  std::atomic<std::uint64_t> own_{0};  // since the count was last read
  std::atomic<std::uint64_t> begun_{0}, ended_{0};
  std::uint64_t last_begun_ = 0, now_begun_ = 0;  // when the count was read; kUnderWay if not all had ended
};

// While one lives, the page faults of this thread are the recorder's own: its copies of what it knows grow.
// Within another of the same thread one does nothing: no fault is counted twice.
class OwnFaults {
 public:
  explicit OwnFaults(FaultAccount& account);
  ~OwnFaults();
  OwnFaults(const OwnFaults&) = delete;
  OwnFaults& operator=(const OwnFaults&) = delete;

 private:
  FaultAccount& account_;
  const bool outermost_;
  std::uint64_t before_ = 0;
};

}  // namespace wedjat::interposer
