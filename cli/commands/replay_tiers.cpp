#include "cli/commands/replay_tiers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "cli/terminal/terminal.h"
#include "emulator/compile/tier/journal_json.h"

namespace wedjat::cli {

void print_tiers(const traces::ReplayReport& report, const compile::Tier* tier, const PageOptions& names) {
  struct Sums {
    std::uint64_t launches = 0, all = 0, native = 0;
    double seconds = 0;
    compile::KernelReport made;
  };
  std::map<std::string, Sums> kernels;
  for (const auto& launched : report.launched) {
    Sums& sums = kernels[launched.kernel];
    ++sums.launches;
    sums.all += launched.steps;
    sums.native += launched.native_steps;
    sums.seconds += launched.seconds;
  }
  if (tier != nullptr)
    for (compile::KernelReport& made : tier->reports())
      if (const auto known = kernels.find(made.kernel); known != kernels.end())
        known->second.made = std::move(made);
  fmt::print("\n{:>8} {:>10} {:>20} {:>8} {:>7} {:>6} {:>10}  kernel\n", "launches", "seconds", "warp steps",
             "native", "pieces", "kept", "to make, s");
  for (const auto& [kernel, sums] : kernels) {
    fmt::print("{:>8} {:>10.3f} {:>20} {:>7.1f}% {:>7} {:>6} {:>10.3f}  {}\n", grouped(sums.launches),
               sums.seconds, grouped(sums.all),
               sums.all == 0 ? 0.0 : 100.0 * static_cast<double>(sums.native) / static_cast<double>(sums.all),
               grouped(sums.made.pieces), grouped(sums.made.kept), sums.made.seconds, names.name(kernel));
    if (!sums.made.left_at.empty())
      fmt::print("{:>77}  left at {}\n", "", fmt::join(sums.made.left_at, ", "));
    for (const std::string& why : sums.made.failures) fmt::print("{:>77}  no code: {}\n", "", why);
  }
}

nlohmann::json tiers_json(const compile::Tier* tier) {
  return compile::to_json(tier == nullptr ? std::vector<compile::KernelReport>() : tier->reports());
}

}  // namespace wedjat::cli
