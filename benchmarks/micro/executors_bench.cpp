// ns per warp instruction of the generated executors.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "benchmarks/micro/warp_rows.h"

namespace wedjat::bench {
namespace {

constexpr std::uint32_t some_lanes = 0x5f5f3131u;
constexpr double slow = 60;

// Nothing but registers, and no requirement that ordinary values would break.
bool measurable(const kernel::Form& form) {
  namespace effect = kernel::effect;
  constexpr std::uint32_t beyond_registers =
      effect::reads_memory | effect::writes_memory | effect::updates_memory | effect::barrier | effect::fence;
  const bool may_fail = (form.effects & effect::can_fail) != 0 && (form.effects & effect::warp_sync) == 0;
  return form.full != nullptr && form.level != kernel::Level::Cta && (form.effects & beyond_registers) == 0 &&
         !may_fail;
}

// The best of a few short runs: enough to find the slow ones.
double estimate(const kernel::Form& form) {
  using Clock = std::chrono::steady_clock;
  constexpr int times = 200;
  WarpRows rows(form);
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < times; ++i) rows.run(form.full, exec::all_lanes);
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count() / times);
  }
  return best;
}

void measure(benchmark::State& state, const kernel::Form& form, kernel::Executor executor,
             std::uint32_t mask) {
  WarpRows rows(form);
  for (auto _ : state) {
    rows.run(executor, mask);
    benchmark::ClobberMemory();
  }
}

void register_slowest() {
  std::set<kernel::Executor> seen;
  std::map<std::string, std::pair<double, const kernel::Form*>> slowest;  // by opcode
  for (const kernel::Form& form : kernel::all_forms()) {
    if (!measurable(form) || !seen.insert(form.full).second) continue;
    const double time = estimate(form);
    if (time > slow)
      std::printf("over %.0f ns: %-40s %7.1f ns  %s\n", slow, std::string(form.text).c_str(), time,
                  std::string(form.source).c_str());
    auto& entry = slowest[std::string(form.opcode)];
    if (time > entry.first) entry = {time, &form};
  }
  std::printf("%zu executors, %zu instructions\n", seen.size(), slowest.size());
  for (const auto& [opcode, entry] : slowest) {
    const kernel::Form& form = *entry.second;
    const std::string name(form.text);
    benchmark::RegisterBenchmark((name + "/full").c_str(), measure, form, form.full, exec::all_lanes);
    benchmark::RegisterBenchmark((name + "/masked").c_str(), measure, form, form.masked, some_lanes);
  }
}

}  // namespace
}  // namespace wedjat::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  wedjat::bench::register_slowest();
  benchmark::RunSpecifiedBenchmarks();
}
