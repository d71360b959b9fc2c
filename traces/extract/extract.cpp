#include "traces/extract/extract.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "emulator/device/error.h"
#include "emulator/hooks/report/names.h"
#include "traces/bundle/relocation.h"
#include "traces/extract/capture.h"
#include "traces/extract/code_words.h"

namespace wedjat::traces {
namespace {

struct Seen {
  std::uint64_t launches = 0;
  std::set<std::string> kernels;
};

// Thrown through the replay: there is nothing more to learn from it.
struct Enough {};

void finish_origin(Bundle& bundle, const Trace& trace) {
  bundle.origin.trace = trace.folder.filename().string();
  bundle.origin.device = trace.manifest.device ? trace.manifest.device->name : "";
}

std::string list(const std::set<std::string>& kernels) {
  std::string text;
  for (const std::string& kernel : kernels) text += (text.empty() ? "" : "; ") + hooks::demangled(kernel);
  return text.empty() ? "none" : text;
}

std::optional<Bundle> look_for(const Trace& trace, const ReplayOptions& from, const WantedLaunch& wanted,
                               bool hardware, Seen& seen) {
  std::optional<Bundle> found;
  bool taken = false;
  Capture capture(
      [&](std::uint64_t number, const std::string& kernel) {
        if (found) throw Enough();
        seen.kernels.insert(kernel);
        const bool is =
            !taken && (wanted.kernel ? hooks::means_kernel(*wanted.kernel, kernel) : number == wanted.number);
        taken |= is;
        return is;
      },
      hardware, [&](Bundle&& bundle) { found.emplace(std::move(bundle)); });
  hooks::Hooks hooks;
  ReplayOptions options = from;
  capture.watch(options, hooks, trace);
  options.launched = [&](device::Device&) {
    if (found) throw Enough();
  };
  try {
    replay(trace, options);
  } catch (const Enough&) {
  }
  capture.finish();
  seen.launches = capture.launches();
  if (found) found->surroundings = options.surroundings;
  return found;
}

device::DeviceOptions alone(const Bundle& bundle, const ReplayOptions& options) {
  return {.threads = options.threads,
          .launch_limits = options.launch_limits,
          .contract = options.contract,
          .side_by_side = options.side_by_side,
          .shuffle = options.shuffle,
          .unwritten = options.unwritten,
          .surroundings = bundle.surroundings,
          .native = options.native};
}

// Hardware is free to choose another order than the one here.
void note_order(Bundle& bundle, const ReplayOptions& from) {
  for (const bool side_by_side : {false, true}) {
    ReplayOptions options = from;
    options.shuffle = from.shuffle + 1;
    options.side_by_side = side_by_side;
    device::Device device(alone(bundle, options));
    std::uint64_t differing = 0;
    for (const BundleDifference& compared : run_bundle(device, bundle).compared)
      if (compared.what != "hardware") differing += compared.differing;
    if (differing == 0) continue;
    bundle.notes.push_back(fmt::format(
        "{} bytes of the result change with the order of threads: hardware may leave others", differing));
    return;
  }
}

// Where the program changed tables of functions, they stay as they are: that runs here alone.
void prove_without_code(Bundle& bundle, const ReplayOptions& options) {
  Bundle without = bundle;
  device::Device device(alone(bundle, options));
  if (!leave_out_code(without, device)) return prove(bundle, options);
  try {
    prove(without, options);
    bundle = std::move(without);
  } catch (const device::Refused&) {
    prove(bundle, options);
    bundle.notes.emplace_back(
        "variables hold addresses of functions that the program put there: a driver has others");
  }
}

}  // namespace

Bundle extract(const Trace& trace, const ReplayOptions& from, const WantedLaunch& wanted, bool hardware) {
  std::optional<Bundle> found;
  Seen seen;
  try {
    found = look_for(trace, from, wanted, hardware, seen);
  } catch (const device::Failed& failure) {
    // As in replays: the hardware's kernel did not fail where memory beside its allocations was mapped.
    if (!failure.out_of_bounds() || from.surroundings) throw;
    ReplayOptions options = from;
    options.surroundings = true;
    found = look_for(trace, options, wanted, hardware, seen);
  }
  if (!found && wanted.kernel)
    throw std::invalid_argument(fmt::format("the recording launches no kernel {}; it launches {}",
                                            *wanted.kernel, list(seen.kernels)));
  if (!found)
    throw std::invalid_argument(
        fmt::format("there is no launch {}: the recording has {}{}", wanted.number, seen.launches,
                    seen.launches == 0 ? "" : fmt::format(", from 0 to {}", seen.launches - 1)));
  finish_origin(*found, trace);
  prove_without_code(*found, from);
  note_order(*found, from);
  make_movable(*found, from);
  return std::move(*found);
}

void extract_first_launches(const Trace& trace, const ReplayOptions& from,
                            const std::function<void(Bundle&&)>& each) {
  std::set<std::string> seen;
  Capture capture([&](std::uint64_t, const std::string& kernel) { return seen.insert(kernel).second; }, false,
                  [&](Bundle&& bundle) {
                    finish_origin(bundle, trace);
                    each(std::move(bundle));
                  });
  hooks::Hooks hooks;
  ReplayOptions options = from;
  capture.watch(options, hooks, trace);
  replay(trace, options);
}

void make_movable(Bundle& bundle, const ReplayOptions& options) {
  find_pointers(bundle, [&](const Bundle& moved, const Places& places) {
    device::Device device(alone(moved, options));
    return run_bundle(device, moved, places);
  });
}

void prove(const Bundle& bundle, const ReplayOptions& options) {
  device::Device device(alone(bundle, options));
  std::string cause;
  try {
    const BundleRun run = run_bundle(device, bundle);
    for (const BundleDifference& compared : run.compared)
      if (compared.what != "hardware" && compared.differing != 0)
        cause = fmt::format("{} of {} bytes differ, the first at {:#x}", compared.differing, compared.bytes,
                            compared.first);
  } catch (const device::Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    cause = error.what();
  }
  if (!cause.empty())
    throw device::Refused(fmt::format(
        "the launch of {} (seq {}) does not run by itself as it did in the recording: {}; it needs what "
        "a bundle does not hold (addresses that the driver chose, blocks of the device heap ...)",
        bundle.kernel, bundle.origin.sequence, cause));
}

}  // namespace wedjat::traces
