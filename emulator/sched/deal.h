// Which clusters of a launch each host thread runs.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace wedjat::sched {

/// Clusters are dealt to threads: each has a hand of them, side by side, and runs it from its beginning on;
/// who has none left takes half of what another one has, from its end. In the next launch a thread has the
/// same hand again: what it wrote is often in its processor's caches, and to fetch it from another's takes
/// longer.
class Deal {
 public:
  Deal(std::uint64_t clusters, unsigned threads);

  /// A hand that is nobody's yet, the one of this number if that is free. For each thread once.
  unsigned own(unsigned number);

  /// [first, end); empty: there is nothing left.
  struct Claim {
    std::uint64_t first = 0, end = 0;
    bool elsewhere = false;  ///< it may come before what the thread took earlier
  };
  /// Some clusters: many while many are left, single ones in the end, so that threads end together.
  Claim take(unsigned hand);
  /// Clusters that nobody took.
  std::uint64_t left() const;

 private:
  struct alignas(64) Hand {
    std::mutex mutex;                            // of who changes it
    std::atomic<std::uint64_t> next{0}, end{0};  // of what is left
    std::atomic<bool> owned{false};
    std::uint64_t left() const;
  };
  bool refill(unsigned hand);

  std::vector<Hand> hands_;
};

}  // namespace wedjat::sched
