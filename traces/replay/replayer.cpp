#include "traces/replay/replayer.h"

#include <fmt/format.h>

#include "traces/format/error.h"
#include "traces/format/names.h"
#include "traces/replay/handlers.h"

namespace wedjat::traces {

Replayer::Replayer(const Trace& trace, const Calls& calls, const ReplayOptions& options)
    : trace_(trace), calls_(calls), options_(options) {
  device::DeviceOptions device_options;
  device_options.threads = options.threads;
  device_options.print = options.print;
  device_options.contract = options.contract;
  device_ = std::make_unique<device::Device>(device_options);
}

void Replayer::refuse(const Call& call, const std::string& cause) const {
  throw ReplayRefused(
      fmt::format("{}: {} (seq {}): {}", trace_.folder.string(), call.symbol, call.sequence(), cause));
}

void Replayer::learn(const Event& event) {
  if (event.name == "kernel_info")
    kernels_[event.number("function")] = {event.text("name"), event.number("parent")};
}

ReplayReport Replayer::run() {
  std::size_t loose = 0;
  for (current_ = 0; current_ < calls_.calls.size(); ++current_) {
    const Call& call = calls_.calls[current_];
    // Told by the recorder between a call's entry and its real work: known before the call is carried out.
    const std::uint64_t until = call.exit ? call.exit->sequence : call.sequence();
    for (; loose < calls_.loose.size() && calls_.loose[loose]->sequence < until; ++loose)
      learn(*calls_.loose[loose]);
    for (const Event* event : call.attached) learn(*event);
    before(call);
    if (call.succeeded() && !graphs_.capture(call)) carry_out(call);
    after(call);
    ++report_.calls;
    if (options_.progress) options_.progress(current_ + 1, calls_.calls.size());
  }
  return std::move(report_);
}

void Replayer::carry_out(const Call& call) {
  const Handler handler = handler_of(call.base);
  if (!handler) refuse(call, "replay does not know how to carry out this call");
  handler(*this, call);
}

void Replayer::before(const Call& call) {
  for (const Event* event : call.attached)
    if (event->name == "host_delta" && event->number("phase") == static_cast<std::uint64_t>(Phase::entry))
      apply_delta(*event);
}

void Replayer::after(const Call& call) {
  for (const Event* event : call.attached) {
    if (event->name == "host_range") host_range(call, *event);
    if (event->name == "host_delta") {
      const auto phase = static_cast<Phase>(event->number("phase"));
      if (phase == Phase::exit) check_delta(call, *event);
      if (phase == Phase::later) apply_delta(*event);  // what a host function wrote
    }
    if (event->name == "uncaptured")
      report_.uncaptured.push_back(fmt::format("{} (seq {}): {}: {}", call.symbol, call.sequence(),
                                               event->text("name"), event->text("reason")));
  }
}

void Replayer::check(const Call& call, const std::string& what, std::uint64_t address, const Bytes& expected,
                     const Bytes& got) {
  if (expected.size() != got.size())
    refuse(call, fmt::format("the trace holds {} bytes of a copy of {}", expected.size(), got.size()));
  report_.checked.push_back(
      {call.sequence(), what, address, std::move(kernels_since_check_), compare(expected, got)});
  kernels_since_check_.clear();
}

ReplayReport replay(const Trace& trace, const ReplayOptions& options) {
  if (!trace.flaws.empty() && !options.accept_flawed)
    throw FormatError(
        trace.folder.string(),
        fmt::format("the trace is not whole: {}{}", trace.flaws.front(),
                    trace.flaws.size() > 1 ? fmt::format(" (and {} more)", trace.flaws.size() - 1) : ""));
  const Calls calls = group_calls(trace);
  return Replayer(trace, calls, options).run();
}

}  // namespace wedjat::traces
