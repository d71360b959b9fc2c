#include "traces/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/format/error.h"
#include "traces/replay/state/accounts.h"
#include "traces/replay/state/call_order.h"
#include "traces/replay/state/replayer.h"
#include "traces/replay/state/shared_handles.h"

namespace wedjat::traces {
namespace {

// Whether the processes must take turns as they did.
bool share_memory(const Calls& calls) {
  return std::ranges::any_of(
      calls.calls, [](const Call& call) { return call.base == "cuIpcOpenMemHandle" && call.succeeded(); });
}

}  // namespace

ReplayReport replay(const Trace& trace, const ReplayOptions& options) {
  if (!trace.flaws.empty() && !options.accept_flawed)
    throw FormatError(
        trace.folder.string(),
        fmt::format("the trace is not whole: {}{}", trace.flaws.front(),
                    trace.flaws.size() > 1 ? fmt::format(" (and {} more)", trace.flaws.size() - 1) : ""));
  const Calls calls = group_calls(trace);
  std::vector<Calls> processes = by_process(calls);
  for (Calls& process : processes) order_as_done(process);
  Accounts accounts(trace, calls);
  const auto settled = [&](ReplayReport report) {
    report.recorded_bytes = accounts.recorded();
    for (Accounts::Left& left : accounts.left()) {
      report.left_bytes += left.bytes;
      report.not_compared.push_back(std::move(left.text));
    }
    return report;
  };
  // Each process has a device of its own.
  ReplayReport report;
  SharedHandles shared_handles;
  if (!share_memory(calls)) {
    for (const Calls& process : processes) {
      Replayer replayer(trace, process, options, shared_handles, accounts);
      while (!replayer.done()) replayer.step();
      report.add(replayer.finish());
    }
    return settled(std::move(report));
  }
  std::vector<std::unique_ptr<Replayer>> replayers;
  for (const Calls& process : processes)
    replayers.push_back(std::make_unique<Replayer>(trace, process, options, shared_handles, accounts));
  const auto later = [](const auto& a, const auto& b) {
    return !b->done() && (a->done() || b->next() < a->next());
  };
  for (;;) {
    Replayer& first = **std::ranges::max_element(replayers, later);
    if (first.done()) break;
    shared_handles.turn(first);
    first.step();
  }
  for (const auto& replayer : replayers) report.add(replayer->finish());
  return settled(std::move(report));
}

}  // namespace wedjat::traces
