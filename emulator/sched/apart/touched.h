// Which bytes of device memory a step touches, as a function of the thread, and whether two steps of
// different CTAs may touch the same.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/sched/apart/facts.h"

namespace wedjat::sched::apart {

/// [sum of digits + base, … + bytes)
struct Touched {
  Wide base = 0, bytes = 0;
  std::vector<Digit> digits;
  bool writes = false;
  std::uint32_t step = 0;  ///< Step::id
  bool indirect = false;   ///< it may be anywhere in the range, which what was loaded says

  /// Of all threads: the first byte and the one behind the last.
  Range all() const;
  /// So many of these bytes at most.
  Wide most() const;
};

/// Whether no byte is touched so by one CTA and so by another, whatever the facts say less exactly than it
/// is.
bool are_apart(const Touched& a, const Touched& b, const Symbols& symbols);

}  // namespace wedjat::sched::apart
