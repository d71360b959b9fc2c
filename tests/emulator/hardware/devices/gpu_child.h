// The child process of the runner: executes cases in order and reports each through a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/emulator/hardware/devices/runner.h"
#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

// What precedes each message's bytes in the pipe.
struct MessageHead {
  enum Kind : std::uint32_t {
    machine,   // bytes: device name, newline, driver version
    unusable,  // bytes: why there is no GPU; nothing follows
    ran,       // bytes: the output of the next case
    failed,    // bytes: what went wrong with the next case
  };
  std::uint32_t kind;
  std::uint32_t bytes;
};

// Returns when all cases are reported, or early after a failure that leaves the context unusable (which is
// reported too).
void run_in_child(std::span<const Case> cases, const RunOptions& options, std::size_t module_size, int pipe);

}  // namespace wedjat::hardware_truth
