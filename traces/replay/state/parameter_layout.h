// How a launch's parameters lie in the trace, and how a kernel reads them.
#pragma once
#include <span>

#include "emulator/device/device.h"
#include "traces/read/trace.h"

namespace wedjat::traces {

/// As the driver described the parameters of a kernel (event `kernel_info`): bytes.
struct DriverLayout {
  std::vector<std::uint64_t> offsets, sizes;
};

/// `packed` as PTX declares it (PTX 5.2, parameters are aligned within their buffer). The driver's offsets
/// count from a place that is a multiple of 16 only: before a parameter aligned further, it leaves other
/// gaps.
Bytes as_declared(Bytes packed, const DriverLayout& driver, std::span<const device::ParameterSlot> declared);

}  // namespace wedjat::traces
