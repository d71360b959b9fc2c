// Prints, by tool, the ratio of the time in kernels to that of a replay without tools.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <sstream>

#include "benchmarks/tools/native_tools.h"
#include "emulator/hooks/hooks.h"
#include "traces/replay/replay.h"

namespace {

using namespace wedjat;

constexpr double any = std::numeric_limits<double>::infinity();

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
          {"opcode_histogram", "opcode_histogram", any},
          {"branch_divergence", "branch_divergence", any},
          {"roofline", "roofline", any},
          {"memory_divergence", "memory_divergence", 3},
          {"bank_conflicts", "bank_conflicts", any},
          {"reuse_distance", "reuse_distance", any},
          {"cache_model", "cache_model", any},
          {"warp_timeline", "warp_timeline", any},
          {"memory_trace", "memory_trace,file=" + scratch, 6},
          {"register_trace", "register_trace,file=" + scratch, any},
          {"memory_check", "memory_check", 6},
          {"first_nan", "first_nan", 5},
          {"race_check", "race_check", 20},
          {"all checkers", "memory_check race_check sync_check", 12}};
}

// Against native code that nobody watches.
std::vector<Watching> usual_native(const std::string& scratch) {
  return {{"idle", "instruction_count,kernel=no-such-kernel", 1.05},
          {"instruction_count", "instruction_count", 1.1},
          {"opcode_histogram", "opcode_histogram", 1.1},
          {"branch_divergence", "branch_divergence", any},
          {"memory_divergence", "memory_divergence", any},
          {"memory_trace", "memory_trace,file=" + scratch, 4},
          {"register_trace", "register_trace,file=" + scratch, any},
          {"cache_model", "cache_model", any},
          {"memory_check", "memory_check", 5}};
}

bool recorded_tools(const std::vector<Watching>& tools, const std::vector<std::string>& files,
                    unsigned threads, unsigned rounds) {
  bool met = true;
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
  return met;
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
  std::vector<std::string> kernels;
  app.add_option("--native", kernels,
                 "kernels of benchmarks/kernels instead, as native code: processor time of one thread");
  CLI11_PARSE(app, argc, argv);

  char scratch[] = "/tmp/wedjat-bench-XXXXXX";
  if (const int file = mkstemp(scratch); file < 0) return std::perror(scratch), 3;
  std::vector<Watching> tools;
  for (const std::string& spec : specs) tools.push_back({spec, spec, any});
  if (tools.empty()) tools = kernels.empty() ? usual(scratch) : usual_native(scratch);
  bool met = false;
  try {
    met = kernels.empty() ? recorded_tools(tools, files, threads, rounds)
                          : native_tools(tools, kernels, rounds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "wedjat-bench-tools: error: {}\n", error.what());
    std::remove(scratch);
    return 3;
  }
  std::remove(scratch);
  return met ? 0 : 1;
}
