// Replays recordings side by side and judges them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "traces/order/resolve.h"
#include "traces/read/limits.h"
#include "traces/regress/expectations.h"
#include "traces/regress/find.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

enum class Verdict : std::uint8_t {
  exact,        // every byte the hardware brought back is the same
  as_expected,  // only bytes differ that the expectations allow and that evidence shows to be open on the
                // hardware
  differs,
  not_compared,  // nothing differs, but nothing was compared, or not all that was recorded
  failed,        // it could not be replayed: `error` says why
};
std::string_view verdict_name(Verdict verdict);

struct Outcome {
  Recording recording;
  Verdict verdict = Verdict::failed;
  std::string error;
  std::string device;            // it was recorded on
  std::vector<Allowed> allowed;  // by the expectations
  ReplayReport report;
  std::vector<std::string> notes;       // what the replay was granted: traces/order/as_hardware.h
  std::vector<Open> open;               // places that differ because the hardware leaves them open
  std::uint64_t unexplained_bytes = 0;  // that differ although what is open is as on the hardware
  std::uint64_t largest_ulps = 0, unexpected_bytes = 0;  // unexpected: not allowed, or unexplained
  std::uint64_t differing_without_contraction = 0;       // only if it was asked for
  double seconds = 0;                                    // of the whole replay

  bool good() const { return verdict == Verdict::exact || verdict == Verdict::as_expected; }
  std::size_t kernels() const;  // different ones
};

struct RegressOptions {
  unsigned jobs = 0;  // recordings at a time; 0: all cores
  kernel::Contract contract = kernel::Contract::ptxas;
  ReadLimits limits;                      // of each
  std::shared_ptr<compile::Tier> native;  // device::DeviceOptions::native
  bool without_contraction = false;       // replay each a second time to count what contraction changes
  std::function<void(std::uint64_t done, std::uint64_t all)>
      progress;  // called from any thread, one at a time
};

// In the order of `recordings`. What goes wrong with one is reported in its outcome.
std::vector<Outcome> regress(const std::vector<Recording>& recordings, const Expectations& expectations,
                             const RegressOptions& options);

}  // namespace wedjat::traces
