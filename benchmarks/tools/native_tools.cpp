#include "benchmarks/tools/native_tools.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <sstream>

#include "benchmarks/kernels/workload.h"
#include "emulator/compile/tier/tier.h"
#include "emulator/hooks/hooks.h"

namespace {

using namespace wedjat;
namespace b = benchmarks;

// Of the calling thread: what else the machine does hardly shows.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A kernel on one thread, once all its code is made.
class Runner {
 public:
  Runner(const b::Workload& workload, const std::string& spec) {
    std::istringstream specs(spec);  // one or several
    for (std::string one; specs >> one;) tools_.add(one);
    prepared_ = std::make_unique<b::Prepared>(
        workload, 1, std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always}),
        spec.empty() ? nullptr : &tools_);
    for (int i = 0; i < 3; ++i) prepared_->launch();
  }
  ~Runner() { tools_.finish(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void run() {
    const double began = processor_seconds();
    const auto statistics = prepared_->launch();
    seconds = std::min(seconds, processor_seconds() - began);
    share = static_cast<double>(statistics.native_steps) / static_cast<double>(statistics.steps);
  }
  double seconds = std::numeric_limits<double>::infinity(), share = 0;

 private:
  hooks::Hooks tools_;
  std::unique_ptr<b::Prepared> prepared_;
};

}  // namespace

bool native_tools(const std::vector<Watching>& tools, const std::vector<std::string>& kernels,
                  unsigned rounds) {
  bool met = true;
  for (const auto make : b::all_workloads) {
    const b::Workload workload = make(1);
    if (std::ranges::find(kernels, workload.name) == kernels.end()) continue;
    fmt::print("{:<40} {:>10} {:>8} {:>8} {:>8}\n", workload.name, "seconds", "native", "ratio", "goal");
    for (const Watching& tool : tools) {
      // They take turns: what else the machine does meets both.
      Runner plain(workload, {}), watched(workload, tool.spec);
      double spent = 0;
      for (unsigned round = 0; round < rounds && (round < 3 || spent < 2); ++round) {
        plain.run();
        watched.run();
        spent += plain.seconds + watched.seconds;
      }
      const double ratio = watched.seconds / plain.seconds;
      met = met && ratio <= tool.goal;
      fmt::print("  {:<38} {:>10.5f} {:>7.1f}% {:>7.2f}{} {:>8}\n", tool.name, watched.seconds,
                 100 * watched.share, ratio, ratio <= tool.goal ? ' ' : '*',
                 tool.goal < 1e9 ? fmt::format("{}", tool.goal) : "");
      std::fflush(stdout);
    }
  }
  return met;
}
