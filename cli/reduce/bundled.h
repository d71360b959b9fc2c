// A case that runs without this program: a bundle, with a program in C.
#pragma once
#include <filesystem>

#include "cli/reduce/candidate.h"
#include "emulator/device/device.h"

namespace wedjat::reduce {

/// Writes the folder; one that an earlier run wrote is replaced. Returns what to tell: what it is for, or why
/// there is none. Throws traces::FormatError if it cannot be written.
std::string write_bundle(const std::filesystem::path& folder, const Case& of, kernel::Contract contract,
                         const device::LaunchLimits& limits);

}  // namespace wedjat::reduce
