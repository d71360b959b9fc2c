// The same instruction again and again, over values made in the kernel from the inputs: of every lane only a
// sum of all its results is kept.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

struct Rounds {
  unsigned count = 0;  // 0: one instruction a lane, its results are kept as they are
  bool guarded =
      false;  // under a guard that half of the lanes have, and into its first source where types allow
  bool same = false;  // all sources of the first one's type are the first one
};

// To be set before the first case is made (`--rounds`, `--guarded`, `--same`).
inline Rounds input_rounds;

// Declarations, and the head of the loop.
std::string rounds_begin();

// Which lane's input source `position` takes in this round, into %at.
std::string round_place(unsigned position, bool warp_wide);

// What the value just loaded becomes in this round.
std::string round_value(const Slot& slot, unsigned position, bool warp_wide);

// Results that are there before a guarded instruction.
std::string round_old(const Slot& slot);

// Adds a result to the lane's sum.
std::string round_sum(const Slot& slot);

// The end of the loop; stores the sum.
std::string rounds_end();

// A hash for each warp of the sums.
std::vector<std::byte> round_hashes(std::span<const std::byte> output);

}  // namespace wedjat::hardware_truth
