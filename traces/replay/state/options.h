// What whoever replays a recording may choose, and how a recording is refused.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/kernel/ptxas/contract.h"
#include "traces/read/limits.h"
#include "traces/read/trace.h"
#include "traces/replay/state/report.h"

namespace wedjat::traces {

// A launch that is about to happen, with all that the device is given.
struct Launching {
  std::uint64_t sequence;  // of the driver call
  const std::string& kernel;
  device::Device& device;
  device::Module* module;
  const std::vector<device::PtxSource>& sources;  // of the module
  const device::LaunchConfig& config;
  std::span<const std::byte> parameters;
};

struct ReplayOptions {
  unsigned threads = 0;                                 // host threads; 0: all
  kernel::Contract contract = kernel::Contract::ptxas;  // as the recorded hardware's tool chain did
  device::LaunchLimits launch_limits;
  bool side_by_side = false;                            // device::DeviceOptions::side_by_side
  std::uint32_t shuffle = 0;                            // device::DeviceOptions::shuffle
  std::byte unwritten{0};                               // device::DeviceOptions::unwritten
  bool surroundings = false;                            // device::DeviceOptions::surroundings
  std::shared_ptr<compile::Tier> native;                // device::DeviceOptions::native
  std::uint64_t memory_limit = default_memory_limit();  // bytes that one copy, fill or range may take here
  bool accept_flawed = false;                           // replay a trace that is not whole as far as it goes
  hooks::Hooks* hooks = nullptr;  // tools that watch launches and calls; must outlive the replay
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;  // after each driver call
  std::function<void(std::string_view)> print;                          // what the kernels printf
  std::function<void(const Launching&)> launching;                      // before each launch of a kernel
  std::function<void(device::Device&)> launched;                        // after it
  std::function<void(const Launched&)> ran;                             // the same, as the report has it
  std::function<void(const Checked&)> checked;                          // after each comparison
  // After each comparison that found a difference: what the hardware brought, and what is here.
  std::function<void(const Checked&, std::span<const std::byte> expected, std::span<const std::byte> got)>
      differs;
  std::function<void()> again;  // whoever replays more than once begins anew: what was told so far is void
};

// The message names the call, its sequence number and the cause.
class ReplayRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wedjat::traces
