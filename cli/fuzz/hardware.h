// What the GPU of this machine leaves in memory, against what the emulator does.
#pragma once
#include <map>
#include <vector>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

/// The message says for each level at which results differ how many words do, and which is the first. Levels
/// that were not asked for are looked at once there is a difference.
/// `emulated` is with what ptxas is known to do to values, which it does not do at level 0.
/// Several kernels with names of their own are compiled together, those that differ then alone; by place in
/// `all`. Where verdicts are asked for, kernels that differ are judged, and all others counted as those that
/// agree: it is what `wedjat judge` calls them, too.
std::map<std::size_t, Disagreement> ask_gpu(const Settings& settings, const std::vector<expect::Inputs>& all,
                                            const std::vector<expect::Results>& emulated);

}  // namespace wedjat::fuzz
