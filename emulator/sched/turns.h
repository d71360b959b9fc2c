// Whose turn it is to do what depends on the order among CTAs.
#pragma once
#include <cstdint>
#include <set>

namespace wedjat::sched {

/// The order of turns, a matter of CTA indices alone. CTAs get their first turn in index order. A CTA that
/// gives its turn back before it has finished gets it again: turns go round, by index, through the unfinished
/// CTAs that had one and the next new one. At most `window` CTAs are in the round; a new one enters when one
/// of them finishes.
class Turns {
 public:
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};

  Turns(std::uint64_t ctas, std::uint64_t window)
      : ctas_(ctas), window_(window), current_(ctas == 0 ? nobody : 0) {}

  /// Whose turn it is; nobody when all have finished.
  std::uint64_t current() const { return current_; }
  /// CTAs from here on never had a turn.
  std::uint64_t next_new() const { return next_new_; }
  /// The current CTA is done with its turn, and with all its work if `finished`.
  void pass(bool finished);

 private:
  std::uint64_t ctas_, window_;
  std::uint64_t current_;
  std::uint64_t next_new_ = 1;
  std::set<std::uint64_t> round_;  // unfinished CTAs that gave a turn back
};

}  // namespace wedjat::sched
