// The kernels of a recording, judged by what it brought to the host.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "traces/extract/capture.h"
#include "traces/judge/judge.h"
#include "traces/order/as_hardware.h"
#include "traces/order/resolve.h"
#include "traces/order/summary.h"

namespace wedjat::traces {
namespace {

KernelJudged& kernel_of(Judgement& judgement, const std::string& name) {
  const auto known = std::ranges::find(judgement.kernels, name, &KernelJudged::kernel);
  if (known != judgement.kernels.end()) return *known;
  return judgement.kernels.emplace_back(KernelJudged{name, Judged::unknown, 0, {}, {}});
}

// Same options, with what is open as on the hardware.
ReplayOptions watched(const ReplayOptions& from, const Resolution& resolution, hooks::Hooks& hooks) {
  ReplayOptions options = from;
  options.threads = 1;
  options.hooks = &hooks;
  options.progress = from.progress;
  options.print = {};
  put_in_place(options, resolution.open);
  return options;
}

// The launch that wrote the first byte that still differs; none: no kernel did.
std::optional<std::uint64_t> launch_of_first(const Trace& trace, const ReplayOptions& from,
                                             const Resolution& resolution, const Checked& first) {
  const Place place{first.address + first.difference.first_offset, 1};
  WriteLog log({place});
  hooks::Hooks hooks;
  log.attach(hooks);
  ReplayOptions options = watched(from, resolution, hooks);
  std::optional<std::uint64_t> launch;
  bool seen = false;
  options.differs = [&](const Checked& now, std::span<const std::byte>, std::span<const std::byte>) {
    if (seen || now.sequence != first.sequence || now.address != first.address) return;
    seen = true;
    const auto writes = log.writes(place);
    if (!writes.empty() && writes.back()->kind != Write::Kind::host) launch = writes.back()->launch;
  };
  replay(trace, options);
  return launch;
}

std::optional<Bundle> caught(const Trace& trace, const ReplayOptions& from, const Resolution& resolution,
                             std::uint64_t launch) {
  std::optional<Bundle> found;
  Capture capture([&](std::uint64_t number, const std::string&) { return number == launch; }, true,
                  [&](Bundle&& bundle) { found.emplace(std::move(bundle)); });
  hooks::Hooks hooks;
  ReplayOptions options = watched(from, resolution, hooks);
  capture.watch(options, hooks, trace);
  replay(trace, options);
  capture.finish();
  if (found) found->surroundings = from.surroundings;
  return found;
}

// What the slice loads was perhaps wrong before: an earlier launch that wrote there is a suspect too, unless
// the recording says what each launch left.
std::vector<std::string> suspects(const Trace& trace, const ReplayOptions& from, const Resolution& resolution,
                                  const FirstFault& fault, std::uint64_t launch) {
  if (trace.manifest.verify) return {};
  std::vector<Place> loads;
  for (const JudgedStep& step : fault.slice)
    if (step.reads_memory && step.bytes != 0) loads.push_back({step.address, step.bytes});
  if (loads.empty()) return {};
  WriteLog log(loads);
  hooks::Hooks hooks;
  log.attach(hooks);
  std::set<std::string> kernels;
  ReplayOptions options = watched(from, resolution, hooks);
  // Who wrote there last when that launch begins.
  options.launching = [&, number = std::uint64_t{0}](const Launching&) mutable {
    if (number++ != launch) return;
    for (const Place& load : loads)
      if (const auto writes = log.writes(load); !writes.empty() && writes.back()->kind != Write::Kind::host)
        kernels.insert(writes.back()->kernel->name);
  };
  replay(trace, options);
  return {kernels.begin(), kernels.end()};
}

void judge_rest(Judgement& judgement, const Trace& trace, const ReplayOptions& options,
                const Resolution& resolution, const Checked& first) {
  const auto launch = launch_of_first(trace, options, resolution, first);
  judgement.unexplained = true;
  if (!launch) {
    judgement.notes.push_back(
        fmt::format("no kernel wrote the first byte that differs ({}, seq {}): it comes from the "
                    "host, or host and device share the place",
                    first.call, first.sequence));
    return;
  }
  const auto bundle = caught(trace, options, resolution, *launch);
  if (!bundle || !bundle->hardware) {
    judgement.notes.push_back(fmt::format(
        "the first difference ({}, seq {}) was written by launch {}, of which nothing more is known",
        first.call, first.sequence, *launch));
    return;
  }
  judgement.unexplained = false;
  KernelJudged& kernel = kernel_of(judgement, bundle->kernel);
  LaunchJudged judged = LaunchJudge(*bundle, options).judge(*bundle->hardware);
  kernel.verdict = judged.verdict;
  kernel.evidence = std::move(judged.evidence);
  kernel.fault = std::move(judged.fault);
  if (kernel.fault) kernel.fault->launch = *launch;
  if (kernel.verdict == Judged::agrees) {
    kernel.verdict = Judged::unknown;
    kernel.evidence.push_back(
        {"not by itself", "run by itself, the launch gives the hardware's values", Judged::unknown});
  }
  if (kernel.verdict != Judged::machine_code) return;
  const auto before = suspects(trace, options, resolution, *kernel.fault, *launch);
  if (before.empty()) return;
  kernel.verdict = Judged::unknown;
  for (const std::string& name : before) {
    kernel.evidence.push_back(
        {"inputs",
         fmt::format(
             "what it loads was computed by {}, and the recording does not say what that left: wedjat record "
             "--verify does",
             name),
         Judged::unknown});
    KernelJudged& suspect = kernel_of(judgement, name);
    if (&suspect == &kernel || suspect.verdict == Judged::open) continue;
    suspect.verdict = Judged::unknown;
    suspect.evidence.push_back(
        {"used by a difference",
         fmt::format("{} computes the first difference from what it left", bundle->kernel), Judged::unknown});
  }
}

// The recorded values are an emulator's: whatever they are, nothing follows for machine code.
void judge_emulated(Judgement& judgement) {
  for (KernelJudged& kernel : judgement.kernels) {
    if (kernel.verdict == Judged::open) continue;
    kernel.evidence.push_back(
        {"no hardware",
         kernel.verdict == Judged::agrees
             ? "what was recorded on the emulated device is the same here; no machine code was there to be "
               "judged"
             : "it was recorded on the emulated device: no machine code was there to be judged",
         Judged::unknown});
    kernel.verdict = Judged::unknown;
  }
}

}  // namespace

Judged Judgement::verdict() const {
  Judged worst = kernels.empty() || unexplained ? Judged::unknown : Judged::agrees;
  for (const KernelJudged& kernel : kernels) worst = std::max(worst, kernel.verdict);
  return worst;
}

Judgement judge_recording(const Trace& trace, const ReplayOptions& from) {
  Judgement judgement;
  const Granted granted = replay_as_hardware(trace, from);
  judgement.notes = granted.notes;
  for (const Launched& launched : granted.report.launched) ++kernel_of(judgement, launched.kernel).launches;
  if (judgement.kernels.empty()) judgement.notes.push_back("it launches no kernel that could be judged");
  for (const std::string& text : granted.report.stepped_over)
    judgement.notes.push_back("not judged, for want of PTX: " + text);
  for (const std::string& text : granted.report.not_compared)
    judgement.notes.push_back("not compared: " + text);
  if (!granted.report.hardware_failed.empty()) judgement.notes.push_back(granted.report.hardware_failed);
  Resolution resolution{{}, granted.report};
  if (granted.report.differing_bytes() != 0) resolution = resolve_order(trace, granted.options);
  const auto differs = [](const Checked& checked) { return !checked.difference.same(); };
  const auto first = std::ranges::find_if(resolution.rest.checked, differs);
  // Up to the first difference that nothing explains, what was compared agrees.
  std::set<std::string> compared;
  for (auto checked = resolution.rest.checked.begin(); checked != first; ++checked)
    compared.insert(checked->kernels.begin(), checked->kernels.end());
  for (KernelJudged& kernel : judgement.kernels) {
    if (compared.contains(kernel.kernel))
      kernel.verdict = Judged::agrees;
    else
      kernel.evidence.push_back({"not compared",
                                 first == resolution.rest.checked.end()
                                     ? "nothing is compared after it"
                                     : "it is launched after the last comparison without a difference",
                                 Judged::unknown});
  }
  for (const OpenGroup& group : grouped_places(resolution.open)) {
    if (group.one->kernel.empty()) {
      judgement.notes.push_back(fmt::format("open, {}: {}", group.one->kind, group.one->evidence));
      continue;
    }
    KernelJudged& kernel = kernel_of(judgement, group.one->kernel);
    if (kernel.verdict != Judged::open) kernel.evidence.clear();
    kernel.verdict = Judged::open;
    kernel.evidence.push_back(
        {group.one->kind, fmt::format("in {} places of the copy seq {}: {}", group.places,
                                      group.one->sequence, group.one->evidence)});
  }
  if (first != resolution.rest.checked.end())
    judge_rest(judgement, trace, granted.options, resolution, *first);
  if (trace.manifest.device && trace.manifest.device->emulated) judge_emulated(judgement);
  return judgement;
}

}  // namespace wedjat::traces
