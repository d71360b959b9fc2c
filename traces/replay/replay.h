// Replays a recording on the emulator: the one place that knows both events and device.
#pragma once

#include <functional>
#include <string_view>

#include "emulator/device/device.h"
#include "emulator/kernel/contract.h"
#include "traces/read/trace.h"
#include "traces/replay/report.h"

namespace wedjat::traces {

struct ReplayOptions {
  unsigned threads = 0;                                 // host threads; 0: all
  kernel::Contract contract = kernel::Contract::ptxas;  // as the recorded hardware's tool chain did
  bool accept_flawed = false;                           // replay a trace that is not whole as far as it goes
  hooks::Hooks* hooks = nullptr;  // tools that watch launches and calls; must outlive the replay
  std::function<void(std::uint64_t done, std::uint64_t all)> progress;  // after each driver call
  std::function<void(std::string_view)> print;                          // what the kernels printf
};

// Throws FormatError (broken or flawed trace), ReplayRefused (a call or image replay cannot carry out), and
// what emulator/device throws when a kernel is refused or fails.
ReplayReport replay(const Trace& trace, const ReplayOptions& options);

// The message names the call, its sequence number and the cause.
class ReplayRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wedjat::traces
