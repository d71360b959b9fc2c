#include "traces/judge/launch_runner.h"

#include <algorithm>

namespace wedjat::traces {

LaunchRunner::LaunchRunner(const Bundle& bundle, const ReplayOptions& options)
    : bundle_(bundle), options_(options), left_(run(Choice{}, nullptr).left) {}

const std::optional<Runs>& LaunchRunner::left(const Choice& choice) {
  const auto [place, is_new] = others_.try_emplace(choice);
  if (is_new) try {
      place->second = run(choice, nullptr).left;
    } catch (const std::exception&) {
    }
  return place->second;
}

void LaunchRunner::run(hooks::Hooks& hooks) const { run(Choice{}, &hooks); }

bool LaunchRunner::contracts() const {
  return options_.contract == kernel::Contract::ptxas &&
         std::ranges::any_of(bundle_.sources,
                             [](const auto& source) { return source.contract == kernel::Contract::ptxas; });
}

BundleRun LaunchRunner::run(const Choice& choice, hooks::Hooks* hooks) const {
  Bundle other;
  const Bundle* what = &bundle_;
  kernel::Contract contract = options_.contract;
  if (choice.other_contract) {
    contract = contracts() ? kernel::Contract::none : kernel::Contract::ptxas;
    other = bundle_;
    for (auto& source : other.sources) source.contract = contract;
    what = &other;
  }
  // One thread, so that what is a race ends the same way each time.
  device::Device device({.threads = 1,
                         .launch_limits = options_.launch_limits,
                         .contract = contract,
                         .side_by_side = choice.side_by_side,
                         .shuffle = choice.shuffle,
                         .unwritten = choice.unwritten,
                         .surroundings = bundle_.surroundings,
                         .hooks = hooks});
  return run_bundle(device, *what);
}

}  // namespace wedjat::traces
