#include "emulator/sched/races/guard.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "emulator/exec/access/fault.h"
#include "emulator/sched/races/conduct.h"
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

Statistics run_alone(exec::Launch launch) {
  launch.options.threads = 1;
  return run_unguarded(launch);
}

struct Attempt {
  bool counts = false;  // else all is as it was before
  Statistics statistics;
  std::exception_ptr fault;
  std::string printed;
};

// `keep`: what it did, if it counts.
Attempt attempt(const exec::Launch& launch, Conduct& conduct, bool keep, Bond bond = Bond::ordered) {
  Attempt result;
  exec::LaunchWatch watch(*conduct.updates, conduct.every_read, undo_limit(), bond == Bond::none);
  exec::Launch watched = launch;
  watched.watch = &watch;
  watched.print = [&](std::string_view text) {
    if (result.printed.size() + text.size() > most_printed) watch.abandon();
    result.printed += text;
  };
  try {
    result.statistics = run_unguarded(watched);
  } catch (const exec::Abandoned&) {
  } catch (const exec::Fault&) {
    result.fault = std::current_exception();
  }
  if (exec::interruption != 0 && result.fault) std::rethrow_exception(result.fault);
  const bool raced = !watch.abandoned() && (bond == Bond::none ? !are_apart(watch) : has_conflict(watch));
  result.counts = !raced && !watch.abandoned();
  if (!result.counts || !keep) watch.restore();
  conduct.learn(raced, watch.abandoned(), watch.missed_reads());
  return result;
}

// Whether its CTAs have nothing to do with each other, without a try.
bool are_known_apart(const exec::Launch& launch, Conduct& conduct) {
  return !conduct.alone && !conduct.has_texels && conduct.apart.hold(launch);
}

}  // namespace

Statistics run_guarded(const exec::Launch& launch) {
  Conduct& conduct = conduct_of(launch.kernel);
  const bool apart = are_known_apart(launch, conduct);
  if (!apart && !conduct.may_run_together()) return run_alone(launch);
  const auto begin = std::chrono::steady_clock::now();
  const auto took = [&](bool on_one, const Statistics& statistics) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    conduct.took(on_one, seconds.count(), statistics.steps);
    conduct.apart.ran(seconds.count());
    return statistics;
  };
  if (conduct.is_faster_alone(threads_for(launch))) return took(true, run_alone(launch));
  if (apart) return took(false, run_unguarded(launch));
  const Attempt result = attempt(launch, conduct, true);
  if (!result.counts) return run_alone(launch);
  took(false, result.statistics);
  if (launch.print && !result.printed.empty()) launch.print(result.printed);
  if (result.fault) std::rethrow_exception(result.fault);
  return result.statistics;
}

bool have_at_most(Bond bond, const exec::Launch& launch) {
  if (threads_for(launch) == 1) return true;
  Conduct& conduct = conduct_of(launch.kernel);
  if (bond == Bond::ordered && are_known_apart(launch, conduct)) return true;
  if (bond == Bond::none && (conduct.updates->ordered || conduct.has_texels)) return false;
  if (!conduct.may_run_together()) return false;
  const Attempt result = attempt(launch, conduct, false, bond);
  return result.counts && (bond == Bond::ordered || !result.fault);
}

}  // namespace wedjat::sched
