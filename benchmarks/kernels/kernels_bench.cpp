// Prints thread instructions per second of whole kernels, and what a launch costs.
#include <benchmark/benchmark.h>

#include <chrono>

#include "benchmarks/kernels/workload.h"

namespace {

using wedjat::benchmarks::Workload;

// Until native code runs all of it: making that would be most of the time of a few launches. Where threads
// have all processors it is made only when they have interpreted for ten times as long as that takes.
void warm_up(wedjat::benchmarks::Prepared& prepared) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(5);
  for (int native = 0; native < 2 && Clock::now() < end;) {
    const auto statistics = prepared.launch();
    native = statistics.native_steps == statistics.steps ? native + 1 : 0;
  }
}

void run(benchmark::State& state, const Workload& workload) {
  wedjat::benchmarks::Prepared prepared(workload, static_cast<unsigned>(state.range(0)));
  if (prepared.makes_code()) warm_up(prepared);
  double thread_instructions = 0, warp_instructions = 0;
  for (auto unused : state) {
    (void)unused;
    const auto statistics = prepared.launch();
    state.SetIterationTime(statistics.seconds);
    thread_instructions += static_cast<double>(statistics.thread_instructions);
    warp_instructions += static_cast<double>(statistics.warp_instructions);
  }
  state.counters["thread_instructions"] =
      benchmark::Counter(thread_instructions, benchmark::Counter::kIsRate);
  state.counters["warp_instructions"] = benchmark::Counter(warp_instructions, benchmark::Counter::kIsRate);
}

// What a launch costs that hardly does anything.
void launch(benchmark::State& state) {
  const auto ctas = static_cast<unsigned>(state.range(0));
  const Workload workload = wedjat::benchmarks::saxpy((1u << 14) / ctas);
  wedjat::benchmarks::Prepared prepared(workload, static_cast<unsigned>(state.range(1)));
  for (auto unused : state) {
    (void)unused;
    prepared.launch();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

}  // namespace

int main(int argc, char** argv) {
  static std::vector<Workload> workloads;
  for (const auto make : wedjat::benchmarks::all_workloads) workloads.push_back(make(1));
  for (const Workload& workload : workloads) {
    benchmark::RegisterBenchmark(workload.name.c_str(),
                                 [&workload](benchmark::State& state) { run(state, workload); })
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("launch", launch)
      ->ArgNames({"ctas", "threads"})
      ->ArgsProduct({{1, 16}, {1, 2}})
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
