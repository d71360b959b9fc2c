// Prints, by recording, how much less time its kernels take where native code is made of them.
#include <fmt/format.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "benchmarks/kernels/workload.h"
#include "emulator/compile/tier/tier.h"
#include "traces/replay/replay.h"

namespace {

using namespace wedjat;
namespace fs = std::filesystem;

struct Spent {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t steps = 0, native_steps = 0;
};

// Keeps the lesser of both. A tier of its own for each replay: no code is there when it begins, but what is
// kept.
void replay(const traces::Trace& trace, unsigned threads, const std::optional<compile::TierOptions>& native,
            Spent& least) {
  traces::ReplayOptions options;
  options.threads = threads;
  if (native) options.native = std::make_shared<compile::Tier>(*native);
  const traces::ReplayReport report = traces::replay(trace, options);
  if (!report.exact()) throw std::runtime_error("a replay is not exact: `wedjat replay` tells more");
  Spent spent{.seconds = report.kernel_seconds()};
  for (const traces::Launched& launched : report.launched) {
    spent.steps += launched.steps;
    spent.native_steps += launched.native_steps;
  }
  if (spent.seconds < least.seconds) least = spent;
}

void warn(const std::string& what) { fmt::print(stderr, "wedjat-bench-tiers: warning: {}\n", what); }

// All code is made before it runs.
compile::TierOptions with_all(compile::TierOptions options) {
  options.when = compile::When::always;
  return options;
}

// Of this process, which removes it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "wedjat-bench-tiers-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for native code: " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Of the calling thread: what else the machine does hardly shows.
double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Keeps the lesser of both.
void launch(benchmarks::Prepared& prepared, Spent& least) {
  const double began = processor_seconds();
  const auto statistics = prepared.launch();
  const Spent spent{processor_seconds() - began, statistics.steps, statistics.native_steps};
  if (spent.seconds < least.seconds) least = spent;
}

void print(const std::string& name, const Spent& interpreted, const Spent& native) {
  fmt::print("{:<24} {:>12.4f} {:>10.4f} {:>8.2f} {:>7.1f}%\n", name, interpreted.seconds, native.seconds,
             interpreted.seconds / native.seconds,
             100.0 * static_cast<double>(native.native_steps) /
                 static_cast<double>(std::max<std::uint64_t>(native.steps, 1)));
  std::fflush(stdout);
}

// The kernels of benchmarks/kernels on one thread, once all their code is made: gives the product of the
// gains.
double kernels(const std::vector<std::string>& names, unsigned rounds, std::size_t& count) {
  namespace b = benchmarks;
  double logarithms = 0;
  for (const auto make : b::all_workloads) {
    const b::Workload workload = make(1);
    if (!names.empty() && std::ranges::find(names, workload.name) == names.end()) continue;
    b::Prepared interpreter(workload, 1, std::shared_ptr<compile::Tier>{});
    b::Prepared compiled(
        workload, 1, std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always}));
    for (int i = 0; i < 3; ++i) compiled.launch();
    Spent interpreted, native;
    for (unsigned round = 0; round < rounds; ++round) {
      launch(interpreter, interpreted);
      launch(compiled, native);
    }
    if (native.steps != interpreted.steps)
      throw std::runtime_error(fmt::format("{}: {} steps as native code, {} interpreted", workload.name,
                                           native.steps, interpreted.steps));
    print(workload.name, interpreted, native);
    logarithms += std::log(interpreted.seconds / native.seconds);
    ++count;
  }
  return logarithms;
}

std::vector<std::string> usual() {
  std::vector<std::string> files;
  for (const char* suite : {"polybench", "rodinia"})
    for (const auto& entry : fs::directory_iterator(fs::path(WEDJAT_TRACES) / suite))
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  unsigned threads = 1, rounds = 3;
  CLI::App app("What native code gains, as a ratio to the replay by the interpreter");
  app.add_option("traces", files, "recordings; with --kernels names of kernels");
  app.add_option("--threads", threads, "host threads (1)");
  app.add_option("--rounds", rounds, "the least time of so many runs (3)")->check(CLI::Range(1, 1000));
  bool only_kernels = false;
  app.add_flag("--kernels", only_kernels,
               "the kernels of benchmarks/kernels instead: processor time of one thread, code made before");
  bool cached = false;
  app.add_flag("--cached", cached,
               "code is there that earlier replays of the same recording kept, of all that they ran");
  CLI11_PARSE(app, argc, argv);
  if (files.empty() && !only_kernels) files = usual();
  const Folder kept;
  double logarithms = 0;
  std::size_t count = files.size();
  fmt::print("{:<24} {:>12} {:>10} {:>8} {:>8}\n", "time in kernels, s", "interpreter", "native", "gain",
             "share");
  try {
    if (only_kernels) logarithms += kernels(std::exchange(files, {}), rounds, count = 0);
    for (const std::string& file : files) {
      const traces::Trace trace = traces::open_trace(file);
      Spent interpreted, native;
      compile::TierOptions tier{.tell = warn};
      if (cached) {
        tier.cache = kept.path();
        replay(trace, threads, with_all(tier), native);
        native = {};
      }
      for (unsigned round = 0; round < rounds; ++round) {
        replay(trace, threads, {}, interpreted);
        replay(trace, threads, tier, native);
      }
      logarithms += std::log(interpreted.seconds / native.seconds);
      const std::string name = fs::path(file).filename().string();
      print(name.substr(0, name.find('.')), interpreted, native);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "wedjat-bench-tiers: error: {}\n", error.what());
    return 3;
  }
  fmt::print("{:<24} {:>32.2f}\n", "geometric mean", std::exp(logarithms / static_cast<double>(count)));
}
