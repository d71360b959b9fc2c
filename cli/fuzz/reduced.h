// A disagreement, made smaller.
#pragma once
#include <filesystem>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

/// Writes original.ptx, reduced.ptx and report.md of the seed into the folder. Throws std::runtime_error.
void write_reduced(const std::filesystem::path& folder, const Settings& settings,
                   const Disagreement& disagreement, unsigned threads);

}  // namespace wedjat::fuzz
