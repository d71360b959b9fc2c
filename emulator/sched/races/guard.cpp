#include "emulator/sched/races/guard.h"

#include <chrono>

#include "emulator/sched/races/attempt.h"
#include "emulator/sched/worker.h"

namespace wedjat::sched {

namespace {

Statistics run_alone(exec::Launch launch) {
  launch.options.threads = 1;
  return run_unguarded(launch);
}

// What is known of its CTAs without a try. Null: nothing.
const apart::Apart* known_of(const exec::Launch& launch, Conduct& conduct) {
  return conduct.alone || conduct.has_texels ? nullptr : conduct.apart.of(launch);
}

// They have nothing to do with each other.
bool are_apart(const apart::Apart* known) { return known != nullptr && known->indirect.empty(); }

}  // namespace

Statistics run_guarded(const exec::Launch& launch) {
  Conduct& conduct = conduct_of(launch.kernel);
  const auto begin = std::chrono::steady_clock::now();
  const auto took = [&](bool on_one, const Statistics& statistics) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    conduct.took(on_one, seconds.count(), statistics.steps);
    conduct.apart.ran(seconds.count());
    return statistics;
  };
  if (conduct.is_faster_alone(threads_for(launch))) return took(true, run_alone(launch));
  const apart::Apart* const known = known_of(launch, conduct);
  const bool apart = are_apart(known);
  const bool keeps = known != nullptr && !apart && conduct.with_kept_writes.tries();
  if (!apart && !keeps && !conduct.may_run_together()) return run_alone(launch);
  if (apart) return took(false, run_unguarded(launch));
  const Attempt result =
      keeps ? attempt_with_kept_writes(launch, conduct, *known) : attempt(launch, conduct, true);
  if (!result.counts) return run_alone(launch);
  took(false, result.statistics);
  if (launch.print && !result.printed.empty()) launch.print(result.printed);
  if (result.fault) std::rethrow_exception(result.fault);
  return result.statistics;
}

bool have_at_most(Bond bond, const exec::Launch& launch) {
  if (threads_for(launch) == 1) return true;
  Conduct& conduct = conduct_of(launch.kernel);
  if (bond == Bond::ordered && are_apart(known_of(launch, conduct))) return true;
  if (bond == Bond::none && (conduct.updates->ordered || conduct.has_texels)) return false;
  if (!conduct.may_run_together()) return false;
  const Attempt result = attempt(launch, conduct, false, bond);
  return result.counts && (bond == Bond::ordered || !result.fault);
}

}  // namespace wedjat::sched
