// What the GPU of this machine leaves in memory, against what the emulator does.
#pragma once
#include <optional>
#include <vector>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

/// The message says for each level at which results differ how many words do, and which is the first. Levels
/// that were not asked for are looked at once there is a difference.
/// `emulated` is with what ptxas is known to do to values, which it does not do at level 0.
std::optional<Disagreement> ask_gpu(gpu::Gpu& gpu, const std::vector<unsigned>& levels,
                                    const expect::Inputs& inputs, const expect::Results& emulated);

}  // namespace wedjat::fuzz
