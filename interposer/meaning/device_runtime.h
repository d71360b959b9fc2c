// Functions of libcudadevrt.a, which kernels call and the driver knows.
#pragma once

#include <vector>

#include "emulator/device/device.h"

namespace wedjat::interposer {

// Adds our PTX of them where some text wants one and none brings it.
void add_device_runtime(std::vector<device::PtxSource>& sources);

}  // namespace wedjat::interposer
