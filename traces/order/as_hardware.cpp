#include "traces/order/as_hardware.h"

#include <fmt/format.h>

#include <utility>

#include "emulator/device/error.h"

namespace wedjat::traces {
namespace {

std::string on_one_line(std::string text) {
  for (std::size_t at; (at = text.find("\n  ")) != text.npos;) text.replace(at, 3, "; ");
  return text;
}

void map_surroundings(Granted& granted, const Trace& trace) {
  try {
    granted.report = replay(trace, granted.options);
  } catch (const device::Failed& failure) {
    if (!failure.out_of_bounds() || granted.options.hooks != nullptr || granted.options.surroundings) throw;
    granted.options.surroundings = true;
    if (granted.options.again) granted.options.again();
    try {
      granted.report = replay(trace, granted.options);
    } catch (const device::Interrupted&) {
      throw;
    } catch (const std::exception&) {
      throw failure;
    }
    granted.notes.push_back(
        fmt::format("a kernel reaches beside its memory, where the hardware had something that was not "
                    "recorded; here it is zero: {}",
                    on_one_line(failure.what())));
  }
}

struct DiffersToo {};
struct TooLong {};

std::string given_up(std::uint64_t most_steps) {
  return fmt::format(
      "threads may race: that they advance side by side was tried for {} steps of warps only, and nothing "
      "differed that far; --side-by-side goes to the end",
      most_steps);
}

void advance_side_by_side(Granted& granted, const Trace& trace, std::uint64_t most_steps) {
  const std::uint64_t differing = granted.report.differing_bytes();
  if (differing == 0 || granted.options.hooks != nullptr || granted.options.side_by_side) return;
  ReplayOptions options = granted.options;
  options.side_by_side = true;
  options.print = {};
  options.differs = {};
  std::uint64_t& at_once = options.launch_limits.launch_step_limit;
  const bool shorter = at_once == 0 || at_once > most_steps;
  if (shorter) at_once = most_steps;
  options.ran = [&, steps = std::uint64_t{0}](const Launched& launched) mutable {
    steps += launched.steps;
    if (steps > most_steps) throw TooLong();
  };
  // It only counts if nothing differs.
  options.checked = [](const Checked& checked) {
    if (!checked.difference.same()) throw DiffersToo();
  };
  try {
    ReplayReport report = replay(trace, options);
    if (!report.exact()) return;
    granted.notes.push_back(
        fmt::format("threads race: {} bytes differ if each warp goes far before the next one, none if all "
                    "advance side by side, as on the hardware",
                    differing));
    granted.report = std::move(report);
    granted.options.side_by_side = true;
  } catch (const DiffersToo&) {
    // The first replay stands.
  } catch (const TooLong&) {
    granted.notes.push_back(given_up(most_steps));
  } catch (const device::Failed& failure) {
    // So it does here: nothing failed there.
    if (shorter && failure.fault == exec::FaultKind::step_limit)
      granted.notes.push_back(given_up(most_steps));
  }
}

}  // namespace

Granted replay_as_hardware(const Trace& trace, const ReplayOptions& options, std::uint64_t most_steps) {
  Granted granted{{}, options, {}};
  map_surroundings(granted, trace);
  advance_side_by_side(granted, trace, most_steps);
  return granted;
}

}  // namespace wedjat::traces
