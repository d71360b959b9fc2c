#include "emulator/sched/races/attempt.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/access/kept_writes.h"
#include "emulator/sched/races/conflicts.h"
#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

// What printf may print before a launch is known to be good.
constexpr std::size_t most_printed = 64u << 20;

// Of this machine's memory: what a launch may change on several threads.
std::uint64_t undo_limit() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 4;
}

void run(const exec::Launch& launch, Attempt& result) {
  try {
    result.statistics = run_unguarded(launch);
  } catch (const exec::Abandoned&) {
  } catch (const exec::Fault&) {
    result.fault = std::current_exception();
  }
  if (exec::interruption != 0 && result.fault) std::rethrow_exception(result.fault);
}

// Host memory of what steps of known addresses write. Nothing if it is too much to be kept.
std::optional<std::vector<exec::KeptWrites::Bytes>> written_by(const exec::Launch& launch,
                                                               const apart::Apart& apart) {
  std::vector<exec::KeptWrites::Bytes> written;
  std::uint64_t bytes = 0;
  for (const apart::Reached& each : apart.reached) {
    if (!each.writes) continue;
    for (const memory::Extent& part : apart::memory_of(each, launch.memory)) {
      written.emplace_back(part.host, part.size);
      bytes += part.size;
    }
    if (bytes > undo_limit()) return {};
  }
  return written;
}

}  // namespace

Attempt attempt(const exec::Launch& launch, Conduct& conduct, bool keep, Bond bond) {
  Attempt result;
  auto& last = conduct.last;
  const bool again =
      bond == Bond::ordered && last.written_as && std::ranges::equal(last.parameters, launch.parameters);
  exec::LaunchWatch watch(*conduct.updates, conduct.every_read, undo_limit(), bond == Bond::none,
                          again ? &*last.written_as : nullptr);
  exec::Launch watched = launch;
  watched.watch = &watch;
  watched.print = [&](std::string_view text) {
    if (result.printed.size() + text.size() > most_printed) watch.abandon();
    result.printed += text;
  };
  run(watched, result);
  const bool raced = !watch.abandoned() && (bond == Bond::none ? !are_apart(watch) : has_conflict(watch));
  result.counts = !raced && !watch.abandoned();
  if (!result.counts || !keep) watch.restore();
  conduct.learn(raced, watch.abandoned(), watch.missed_reads());
  if (!result.counts)
    last.written_as.reset();
  else if (bond == Bond::ordered && !again)
    last = {{launch.parameters.begin(), launch.parameters.end()}, watch.written_as()};
  return result;
}

Attempt attempt_with_kept_writes(const exec::Launch& launch, Conduct& conduct, const apart::Apart& apart) {
  Attempt result;
  std::vector<bool> indirect(launch.kernel.origins.size());
  for (const std::uint32_t step : apart.indirect) indirect[step] = true;
  std::optional<exec::KeptWrites> kept;
  if (auto written = written_by(launch, apart)) {
    try {
      kept.emplace(std::move(*written), std::move(indirect));
    } catch (const std::bad_alloc&) {
      // One thread needs none.
    }
  }
  if (kept) {
    exec::Launch watched = launch;
    watched.kept = &*kept;
    run(watched, result);
    result.counts = !kept->were_read();
    if (!result.counts) kept->restore();
  }
  conduct.with_kept_writes.ended(result.counts);
  return result;
}

}  // namespace wedjat::sched
