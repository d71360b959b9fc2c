// What makes the results of a replay open: the findings of race_check and memory_check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/replay/replay.h"

namespace wedjat::traces {

struct Cause {
  std::string kernel, text;  // text: instructions, threads, place
};

struct Causes {
  std::vector<Cause> races;      // accesses that nothing orders
  std::vector<Cause> unwritten;  // reads of shared and local memory to which nothing was written
};

enum class Sought : std::uint8_t { races, unwritten, both };

// Replays once; hooks of `options` do not take part. Of a launch no CTA begins to be watched for races once
// one has been found in it.
Causes find_causes(const Trace& trace, ReplayOptions options, Sought sought);

}  // namespace wedjat::traces
