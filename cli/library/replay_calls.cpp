// Replay of a recording.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/library/errors.h"
#include "cli/library/replay_report.h"
#include "cli/library/running.h"
#include "emulator/device/error.h"
#include "traces/format/error.h"
#include "traces/order/as_hardware.h"

using namespace wedjat;
using namespace wedjat::library;

namespace {

class Copy {
 public:
  explicit Copy(const traces::Checked& checked) {
    const traces::Difference& difference = checked.difference;
    for (const std::string& kernel : checked.kernels) kernels_.push_back(kernel.c_str());
    type_ = difference.same() ? "" : traces::element_name(difference.element);
    told_ = {sizeof told_,
             checked.sequence,
             checked.call.c_str(),
             checked.address,
             difference.bytes,
             difference.differing_bytes,
             type_.c_str(),
             difference.differing_elements,
             difference.element_offset,
             difference.expected.c_str(),
             difference.got.c_str(),
             difference.largest_ulps,
             kernels_.data(),
             kernels_.size()};
  }
  const WedjatCopy& told() const { return told_; }

 private:
  std::vector<const char*> kernels_;
  std::string type_;
  WedjatCopy told_{};
};

void tell_launch(const WedjatReplayOptions& to, const traces::Launched& ran) {
  const WedjatLaunched told{
      sizeof told,           ran.sequence, ran.kernel.c_str(), ran.seconds, ran.thread_instructions,
      ran.warp_instructions, ran.steps,    ran.native_steps};
  to.launch(to.user, &told);
}

// `parts` and `given` outlive what is made of them.
traces::ReplayOptions options_of(const RunParts& parts, const WedjatReplayOptions& given) {
  traces::ReplayOptions options;
  options.threads = parts.threads;
  options.contract = parts.contract;
  options.launch_limits = parts.limits;
  options.native = parts.native;
  options.hooks = parts.hooks.get();
  options.print = parts.print;
  options.accept_flawed = given.accept_flawed != 0;
  if (given.memory_limit != 0) options.memory_limit = given.memory_limit;
  if (given.copy != nullptr)
    options.checked = [&](const traces::Checked& checked) { given.copy(given.user, &Copy(checked).told()); };
  if (given.launch != nullptr) options.ran = [&](const traces::Launched& ran) { tell_launch(given, ran); };
  if (given.difference != nullptr)
    options.differs = [&](const traces::Checked& checked, std::span<const std::byte> expected,
                          std::span<const std::byte> got) {
      given.difference(given.user, &Copy(checked).told(), expected.data(), got.data());
    };
  if (given.again != nullptr) options.again = [&] { given.again(given.user); };
  options.progress = [&](std::uint64_t done, std::uint64_t all) {
    if (device::interrupted() != 0) throw device::Interrupted("interrupted between two launches");
    if (given.progress != nullptr && given.progress(given.user, done, all) != 0)
      throw device::Interrupted("the callback `progress` ended the replay");
  };
  return options;
}

nlohmann::json replayed(const char* path, const RunParts& parts, const WedjatReplayOptions& given) {
  const traces::ReplayOptions options = options_of(parts, given);
  traces::ReadLimits limits;
  limits.memory = options.memory_limit;
  const traces::Trace trace = traces::open_trace(path, limits);
  const Interruptible interruptible;
  const traces::Granted granted = traces::replay_as_hardware(trace, options);
  nlohmann::json report = to_json(trace, granted.report);
  report["notes"] = granted.notes;
  return report;
}

}  // namespace

extern "C" WedjatStatus wedjat_replay(const char* path, const WedjatReplayOptions* options, char** json) {
  return guarded(__func__, [&] {
    need(path, "path");
    need(json, "json");
    const WedjatReplayOptions given = taken(options, "options");
    const RunParts parts = run_parts(given.run);
    nlohmann::json report = nlohmann::json::object();
    try {
      report = replayed(path, parts, given);
    } catch (const traces::FormatError& error) {
      throw WrongFile{WEDJAT_BROKEN_INPUT, error.what(), path};
    } catch (const traces::ReplayRefused& error) {
      throw WrongFile{WEDJAT_REFUSED, error.what(), path};
    } catch (const device::Failed&) {
      if (parts.hooks != nullptr) {
        report_tools(parts.hooks.get(), report);
        *json = json_for_caller(report);
      }
      throw;
    }
    report_tools(parts.hooks.get(), report);
    *json = json_for_caller(report);
  });
}
