// Prints, by tool, the ratio of the time in kernels to that of a replay without tools.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>

#include "emulator/hooks/hooks.h"
#include "traces/replay/replay.h"

namespace {

using namespace wedjat;

struct Watching {
  std::string name, spec;
  double goal = std::numeric_limits<double>::infinity();
};

double seconds(const traces::Trace& trace, const std::string& spec, unsigned threads) {
  traces::ReplayOptions options;
  options.threads = threads;
  hooks::Hooks tools;
  std::istringstream specs(spec);  // one or several
  for (std::string one; specs >> one; options.hooks = &tools) tools.add(one);
  const double spent = traces::replay(trace, options).kernel_seconds();
  tools.finish();
  return spent;
}

// The least of `rounds` runs without and with the tool, which take turns: what else the machine does meets
// both. Fewer, but three, of what takes long; more where a hundredth matters.
double ratio(const traces::Trace& trace, const Watching& watching, unsigned threads, unsigned rounds) {
  double plain = std::numeric_limits<double>::infinity(), watched = plain, spent = 0;
  if (watching.goal < 1.1) rounds *= 4;
  for (unsigned round = 0; round < rounds && (round < 3 || spent < 5); ++round) {
    const double without = seconds(trace, {}, threads), with = seconds(trace, watching.spec, threads);
    plain = std::min(plain, without);
    watched = std::min(watched, with);
    spent += without + with;
  }
  return watched / plain;
}

std::vector<Watching> usual(const std::string& scratch) {
  return {{"idle", "instruction_count,kernel=no-such-kernel", 1.01},
          {"instruction_count", "instruction_count", 1.3},
          {"opcode_histogram", "opcode_histogram"},
          {"branch_divergence", "branch_divergence"},
          {"roofline", "roofline"},
          {"memory_divergence", "memory_divergence", 3},
          {"bank_conflicts", "bank_conflicts"},
          {"reuse_distance", "reuse_distance"},
          {"cache_model", "cache_model"},
          {"warp_timeline", "warp_timeline"},
          {"memory_trace", "memory_trace,file=" + scratch, 6},
          {"register_trace", "register_trace,file=" + scratch},
          {"memory_check", "memory_check", 6},
          {"first_nan", "first_nan", 5},
          {"race_check", "race_check", 20},
          {"all checkers", "memory_check race_check sync_check", 12}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files = {WEDJAT_TRACES "/regression/polybench/gemm.tar.zst",
                                    WEDJAT_TRACES "/samples/gemm_tiled.tar.zst",
                                    WEDJAT_TRACES "/regression/rodinia/srad.tar.zst"};
  std::vector<std::string> specs;
  unsigned threads = 1, rounds = 15;
  CLI::App app("What tools cost, as a ratio to the replay without them");
  app.add_option("traces", files);
  app.add_option("--tool", specs, "NAME[,key=value…]: these instead of all")->allow_extra_args(false);
  app.add_option("--threads", threads, "host threads (1)");
  app.add_option("--rounds", rounds, "the least time of so many runs (15)")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);

  char scratch[] = "/tmp/wedjat-bench-XXXXXX";
  if (const int file = mkstemp(scratch); file < 0) return std::perror(scratch), 3;
  std::vector<Watching> tools;
  for (const std::string& spec : specs) tools.push_back({spec, spec});
  if (tools.empty()) tools = usual(scratch);
  bool met = true;
  try {
    std::vector<traces::Trace> programs;
    fmt::print("{:<28}", "time in kernels, ratio");
    for (const std::string& file : files) {
      programs.push_back(traces::open_trace(file));
      fmt::print(" {:>12}", std::filesystem::path(file).filename().string().substr(0, 12));
    }
    fmt::print(" {:>8}\n", "goal");
    for (const Watching& tool : tools) {
      fmt::print("{:<28}", tool.name);
      for (const traces::Trace& program : programs) {
        const double found = ratio(program, tool, threads, rounds);
        met = met && found <= tool.goal;
        fmt::print(" {:>11.2f}{}", found, found <= tool.goal ? ' ' : '*');
        std::fflush(stdout);
      }
      fmt::print(" {:>8}\n", tool.goal < 1e9 ? fmt::format("{}", tool.goal) : "");
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "wedjat-bench-tools: error: {}\n", error.what());
    std::remove(scratch);
    return 3;
  }
  std::remove(scratch);
  return met ? 0 : 1;
}
