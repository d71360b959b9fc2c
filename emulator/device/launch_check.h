// Whether the device can run a launch as asked, before anything runs.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/device/device.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/ptx/module/function.h"

namespace wedjat::device {

/// The launch with the cluster that the kernel's .reqnctapercluster says, if it asks for none.
LaunchConfig with_cluster(const ptx::Function& function, LaunchConfig config);

/// Throws Refused naming the limit that is passed.
void check_launch(const ptx::Function& function, const kernel::Kernel& kernel, const LaunchConfig& config,
                  std::size_t parameter_bytes);

}  // namespace wedjat::device
