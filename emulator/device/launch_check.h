// Whether the device can run a launch as asked, before anything runs.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/device/device.h"
#include "emulator/kernel/kernel.h"
#include "emulator/ptx/function.h"

namespace wedjat::device {

/// Throws Refused naming the limit that is passed.
void check_launch(const ptx::Function& function, const kernel::Kernel& kernel, const LaunchConfig& config,
                  std::size_t parameter_bytes);

}  // namespace wedjat::device
