// A launch that directives describe, as a bundle: it runs without them.
#pragma once
#include <string>

#include "cli/expect/case.h"
#include "emulator/device/device.h"
#include "traces/bundle/bundle.h"

namespace wedjat::expect {

/// Of buffers and scalars; `name` is that of the PTX. Runs it. Buffers are regions by "--arg NAME" or, `out`
/// ones, "--arg out:NAME". Throws device::Refused, device::Failed, ptx::Error.
traces::Bundle bundle_of(const std::string& name, const std::string& ptx, const Launch& launch,
                         kernel::Contract contract, const device::LaunchLimits& limits);

}  // namespace wedjat::expect
