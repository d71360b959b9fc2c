// wedjat run FOLDER, of a bundle (traces/bundle).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/options/page_options.h"
#include "cli/options/tool_options.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"

namespace wedjat::cli {

// `device` says how kernels run; its tools and what they print are set here. `elsewhere`: at other addresses
// than those of the recording. `most`: bytes of its contents.
int run_bundle_folder(const std::string& folder, bool elsewhere, std::uint64_t most,
                      device::DeviceOptions device, const ToolOptions& tools, const PageOptions& page,
                      bool json);

}  // namespace wedjat::cli
