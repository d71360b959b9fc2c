// A launch of a PTX file, as `wedjat run` has it, made a bundle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/arguments.h"
#include "emulator/device/device.h"
#include "traces/bundle/bundle.h"

namespace wedjat::cli {

struct PtxLaunch {
  std::string file, entry, grid = "1", block = "1", cluster = "1";
  std::vector<std::string> arguments;  // --arg
  std::uint32_t shared = 0;
};

// Runs it once. Throws std::invalid_argument, device::Refused, device::Failed, ptx::Error.
traces::Bundle capture_launch(const PtxLaunch& launch, kernel::Contract contract,
                              const device::LaunchLimits& limits);

/// The same of a text. Buffers whose `text` begins with "out:" begin with zeros that nobody wrote.
traces::Bundle capture_launch(const device::PtxSource& source, const std::string& entry,
                              const device::LaunchConfig& config, const std::vector<Argument>& arguments,
                              const device::LaunchLimits& limits);

}  // namespace wedjat::cli
