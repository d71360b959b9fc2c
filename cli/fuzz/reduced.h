// A disagreement, made smaller.
#pragma once
#include <filesystem>
#include <string>

#include "cli/fuzz/campaign.h"

namespace wedjat::fuzz {

/// Writes original.ptx, reduced.ptx and report.md of the seed into the folder. Returns the instructions that
/// are left, each once, without operands: the same for what is likely to be the same fault. Throws
/// std::runtime_error.
std::string write_reduced(const std::filesystem::path& folder, const Settings& settings,
                          const Disagreement& disagreement, unsigned threads);

}  // namespace wedjat::fuzz
