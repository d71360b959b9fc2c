// Seeds side by side.
#pragma once
#include <functional>
#include <map>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

struct Seeds {
  std::uint32_t first = 1, last = 100;
  std::uint64_t count() const { return std::uint64_t{last} - first + 1; }
};

struct Outcome {
  std::map<std::uint32_t, Disagreement> found;  ///< by seed
  std::uint64_t tried = 0;                      ///< of the seeds, from the first one on
  double seconds = 0;
  Spent spent;
};

/// On so many threads; after `seconds` no seed is begun. `progress` is called by one thread at a time, with
/// what was found of a seed, and with nothing when others are done. The first exception ends it.
void search(const Settings& settings, const Seeds& seeds, unsigned threads, double seconds,
            const std::function<void(std::uint32_t seed, const Disagreement* found)>& progress,
            Outcome& outcome);

}  // namespace wedjat::fuzz
