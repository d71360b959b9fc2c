#include <fmt/format.h>

#include <algorithm>

#include "traces/judge/causes.h"
#include "traces/judge/first_store.h"
#include "traces/judge/judge.h"

namespace wedjat::traces {

std::string_view judged_name(Judged judged) {
  switch (judged) {
    case Judged::agrees:
      return "agrees";
    case Judged::open:
      return "the PTX leaves it open";
    case Judged::machine_code:
      return "the machine code is wrong";
    case Judged::unknown:
      break;
  }
  return "unknown";
}

LaunchJudged judge_launch(const Bundle& bundle, const Runs& hardware, const ReplayOptions& options) {
  const LaunchRunner runner{bundle, options};
  const BundleRun base = runner.run({});
  const BundleDifference difference = compare_runs("hardware", hardware, base.left);
  LaunchJudged judged{Judged::unknown, difference.bytes, difference.differing, {}, {}};
  if (difference.bytes == 0) {
    judged.evidence.push_back(
        {"nothing to compare", "nothing is known of what hardware left", Judged::unknown});
    return judged;
  }
  if (difference.differing == 0) {
    judged.verdict = Judged::agrees;
    return judged;
  }
  std::vector<std::string> forms;
  judged.fault = find_first_store([&](hooks::Hooks& hooks) { runner.run({.hooks = &hooks}); },
                                  difference.first, hardware, base.left, forms);
  if (!judged.fault) {
    judged.evidence.push_back(
        {"no store", "no thread stores the first byte that differs by an instruction that can be followed",
         Judged::unknown});
    return judged;
  }
  add_findings(runner, judged.evidence);
  add_choices(runner, hardware, base, difference.first, judged.evidence);
  add_limits(runner, *judged.fault, forms, judged.evidence);
  const auto says = [&](Judged what) {
    return std::ranges::any_of(judged.evidence, [&](const Evidence& e) { return e.says == what; });
  };
  judged.verdict = says(Judged::open)      ? Judged::open
                   : says(Judged::unknown) ? Judged::unknown
                                           : Judged::machine_code;
  return judged;
}

}  // namespace wedjat::traces
