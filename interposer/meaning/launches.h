// How a kernel is launched.
#pragma once

#include <span>

#include "cuda_abi.h"
#include "emulator/device/device.h"

namespace wedjat::interposer {

device::LaunchConfig launch_config(const CUlaunchConfig& config,
                                   std::span<const CUlaunchAttribute> attributes);
device::LaunchConfig launch_config(const CUDA_KERNEL_NODE_PARAMS& kernel);

// What an attribute of a launch or of a kernel node changes; most change nothing here.
void set_attribute(device::LaunchConfig& config, CUlaunchAttributeID id, const CUlaunchAttributeValue& value);

}  // namespace wedjat::interposer
