#include "traces/regress/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "traces/order/as_hardware.h"

namespace wedjat::traces {
namespace {

ReplayOptions replay_options(const RegressOptions& from) {
  ReplayOptions options;
  options.threads = 1;  // recordings run side by side
  options.contract = from.contract;
  options.native = from.native;
  return options;
}

void explain_differences(Outcome& outcome, const Trace& trace, const ReplayOptions& options) {
  Resolution resolution = resolve_order(trace, options);
  outcome.unexplained_bytes = resolution.rest.differing_bytes();
  outcome.open = std::move(resolution.open);
}

void judge(Outcome& outcome) {
  for (const Checked& checked : outcome.report.checked)
    outcome.largest_ulps = std::max(outcome.largest_ulps, checked.difference.largest_ulps);
  outcome.unexpected_bytes =
      std::max(unexpected_bytes(outcome.report, outcome.allowed), outcome.unexplained_bytes);
  const Agreement agreement = outcome.report.agreement();
  if (agreement == Agreement::exact) {
    outcome.verdict = Verdict::exact;
  } else if (agreement == Agreement::nothing_compared) {
    outcome.verdict = Verdict::not_compared;
    outcome.error = outcome.report.not_compared.empty()
                        ? "nothing to compare: it holds nothing that the hardware brought back"
                        : "nothing was compared: " + outcome.report.not_compared.front();
  } else if (outcome.unexpected_bytes != 0 || agreement == Agreement::only_hardware_failed) {
    outcome.verdict = Verdict::differs;
  } else if (!outcome.report.not_compared.empty()) {
    outcome.verdict = Verdict::not_compared;
    outcome.error = "not all was compared: " + outcome.report.not_compared.front();
  } else {
    outcome.verdict = Verdict::as_expected;
  }
}

void run_one(Outcome& outcome, const RegressOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const Trace trace = open_trace(outcome.recording.path, options.limits);
    if (trace.manifest.device) outcome.device = trace.manifest.device->name;
    Granted granted = replay_as_hardware(trace, replay_options(options));
    outcome.report = std::move(granted.report);
    outcome.notes = std::move(granted.notes);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (outcome.report.differing_bytes() != 0) explain_differences(outcome, trace, granted.options);
    judge(outcome);
    if (options.without_contraction) {
      granted.options.contract = kernel::Contract::none;
      outcome.differing_without_contraction = replay(trace, granted.options).differing_bytes();
    }
  } catch (const std::exception& error) {
    outcome.verdict = Verdict::failed;
    outcome.error = error.what();
  }
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::exact:
      return "exact";
    case Verdict::as_expected:
      return "as expected";
    case Verdict::differs:
      return "differs";
    case Verdict::not_compared:
      return "not compared";
    case Verdict::failed:
      return "failed";
  }
  return "";
}

std::size_t Outcome::kernels() const {
  std::set<std::string_view> names;
  for (const Launched& launched : report.launched) names.insert(launched.kernel);
  return names.size();
}

std::vector<Outcome> regress(const std::vector<Recording>& recordings, const Expectations& expectations,
                             const RegressOptions& options) {
  std::vector<Outcome> outcomes;
  for (const Recording& recording : recordings) {
    Outcome& outcome = outcomes.emplace_back();
    outcome.recording = recording;
    if (const auto known = expectations.find(recording.full_name()); known != expectations.end())
      outcome.allowed = known->second;
  }
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < outcomes.size(); i = next++) {
      run_one(outcomes[i], options);
      const std::lock_guard lock(mutex);
      ++done;
      if (options.progress) options.progress(done, outcomes.size());
    }
  };
  const unsigned jobs = options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < jobs; ++i) others.emplace_back(work);
  work();
  others.clear();
  return outcomes;
}

}  // namespace wedjat::traces
