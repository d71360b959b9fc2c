#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "traces/judge/causes.h"
#include "traces/judge/first_store.h"
#include "traces/judge/judge.h"
#include "traces/judge/zero_divisions.h"

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

struct LaunchJudge::Known {
  LaunchRunner runner;
  // Once somebody asked.
  std::optional<std::vector<Evidence>> findings = {};
  std::optional<std::vector<Inexact>> inexact = {};
  std::optional<std::set<std::string>> by_zero = {};
  std::map<std::uint64_t, std::optional<FoundStore>> stores = {};  // by address

  const std::optional<FoundStore>& store(std::uint64_t address) {
    const auto [place, is_new] = stores.try_emplace(address);
    if (is_new)
      place->second =
          find_first_store([&](hooks::Hooks& hooks) { runner.run(hooks); }, address, runner.left());
    return place->second;
  }
};

LaunchJudge::LaunchJudge(const Bundle& bundle, const ReplayOptions& options)
    : known_(std::make_unique<Known>(Known{LaunchRunner(bundle, options)})) {}
LaunchJudge::~LaunchJudge() = default;

LaunchJudged LaunchJudge::judge(const Runs& hardware) {
  Known& known = *known_;
  const BundleDifference difference = compare_runs("hardware", hardware, known.runner.left());
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
  const std::optional<FoundStore>& found = known.store(difference.first);
  if (!found) {
    judged.evidence.push_back(
        {"no store", "no thread stores the first byte that differs by an instruction that can be followed",
         Judged::unknown});
    return judged;
  }
  judged.fault = found->fault;
  judged.fault->hardware = number_at(hardware, found->place);
  if (!known.findings) known.findings = findings_of(known.runner);
  judged.evidence = *known.findings;
  add_choices(known.runner, hardware, difference.first, judged.evidence);
  if (!known.inexact) known.inexact = inexact_of(known.runner);
  if (!known.by_zero) known.by_zero = zero_divisions_of(known.runner);
  add_limits(*judged.fault, found->forms, *known.inexact, *known.by_zero, judged.evidence);
  const auto says = [&](Judged what) {
    return std::ranges::any_of(judged.evidence, [&](const Evidence& e) { return e.says == what; });
  };
  judged.verdict = says(Judged::open)      ? Judged::open
                   : says(Judged::unknown) ? Judged::unknown
                                           : Judged::machine_code;
  return judged;
}

}  // namespace wedjat::traces
