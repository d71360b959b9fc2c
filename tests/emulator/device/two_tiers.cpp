#include "tests/emulator/device/two_tiers.h"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

namespace wedjat::test {
namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;

struct TieredOutcome {
  std::vector<std::uint32_t> memory;
  std::string message;
  device::LaunchStatistics statistics;
};

TieredOutcome run_tiered(const TieredKernel& kernel, const TieredLaunch& launch,
                         std::shared_ptr<compile::Tier> tier) {
  device::Device device({.threads = launch.host_threads,
                         .launch_limits = {.step_limit = launch.step_limit},
                         .native = std::move(tier)});
  device::Module* module = device.load_module({{kernel.name, kernel.text}}, {});
  device.allocate_at(buffer, kernel.words * 4, "out");
  TieredOutcome outcome;
  outcome.memory.resize(kernel.words);
  for (std::uint32_t i = 0; i < kernel.words; ++i) outcome.memory[i] = i * 2654435761u >> 3;
  device.write(buffer, std::as_bytes(std::span(outcome.memory)));
  std::vector<std::byte> parameters(16);
  std::memcpy(parameters.data(), &buffer, 8);
  std::memcpy(parameters.data() + 8, launch.arguments.data(), 8);
  const device::LaunchConfig config{.grid = {launch.blocks, launch.rows, launch.rows > 1 ? 2U : 1U},
                                    .block = {launch.threads, launch.height, 1}};
  const auto function = device.function(module, "k");
  try {
    for (unsigned i = 0; i < launch.times; ++i)
      outcome.statistics = device.launch(function, config, parameters);
  } catch (const device::Failed& failed) {
    outcome.message = failed.what();
    return outcome;  // the device says no more
  }
  device.read(buffer, std::as_writable_bytes(std::span(outcome.memory)));
  return outcome;
}

}  // namespace

double compare_tiers(const TieredKernel& kernel, const TieredLaunch& launch, compile::TierOptions options) {
  options.when = compile::When::always;
  const auto tier = std::make_shared<compile::Tier>(options);
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return 1;
  }
  CAPTURE(kernel.name);
  CAPTURE(launch.arguments[0]);
  CAPTURE(launch.arguments[1]);
  CAPTURE(launch.step_limit);
  const TieredOutcome interpreted = run_tiered(kernel, launch, nullptr),
                      native = run_tiered(kernel, launch, tier);
  CHECK(native.message == interpreted.message);
  CHECK(native.memory == interpreted.memory);
  CHECK(native.statistics.steps == interpreted.statistics.steps);
  CHECK(native.statistics.warp_instructions == interpreted.statistics.warp_instructions);
  CHECK(native.statistics.thread_instructions == interpreted.statistics.thread_instructions);
  return static_cast<double>(native.statistics.native_steps) /
         static_cast<double>(interpreted.statistics.steps);
}

}  // namespace wedjat::test
