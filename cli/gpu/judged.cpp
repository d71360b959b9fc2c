#include "cli/gpu/judged.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/expect/bundle.h"
#include "traces/judge/answers.h"

namespace wedjat::gpu {
namespace {

// What each buffer holds, where the bundle has it.
traces::Runs runs_of(const traces::Bundle& bundle, const expect::Results& left) {
  traces::Runs runs;
  for (const traces::Bundle::Region& region : bundle.memory)
    for (const auto& [launch_and_name, contents] : left.memory) {
      const std::string name = launch_and_name.substr(launch_and_name.find(' ') + 1);
      if (region.label == "--arg " + name || region.label == "--arg out:" + name)
        traces::add_contents(runs, region.address, contents);
    }
  return runs;
}

}  // namespace

Opinion judge(const expect::Inputs& inputs, const std::map<unsigned, expect::Results>& left) {
  traces::ReplayOptions options;
  options.threads = 1;
  options.launch_limits.step_limit = 50'000'000;  // as of `wedjat judge`
  const traces::Bundle bundle = expect::bundle_of(inputs.ptx_file, inputs.ptx, inputs.launches.at(0),
                                                  options.contract, options.launch_limits);
  std::map<std::string, traces::Runs> answers;
  for (const auto& [level, results] : left)
    if (results.failure.empty()) answers[fmt::format("level {}", level)] = runs_of(bundle, results);
  Opinion opinion;
  for (const auto& [compiled, judged] : traces::judge_answers(bundle, answers, options)) {
    opinion.each.push_back(judged.verdict);
    opinion.worst = std::max(opinion.worst, judged.verdict);
    std::vector<std::string> causes;
    for (const traces::Evidence& evidence : judged.evidence) causes.push_back(evidence.cause);
    opinion.text += fmt::format("{}{}: {}", opinion.text.empty() ? "" : "; ", compiled,
                                traces::judged_name(judged.verdict));
    if (!causes.empty()) opinion.text += fmt::format(" ({})", fmt::join(causes, ", "));
  }
  return opinion;
}

}  // namespace wedjat::gpu
