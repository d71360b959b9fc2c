// The tiers do the same with programs that nobody wrote.
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "tests/emulator/device/random_program.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000u;
constexpr unsigned ctas = 3, threads = 64;

struct Result {
  std::vector<std::uint32_t> memory;
  std::uint64_t warp_instructions = 0, thread_instructions = 0, steps = 0, native_steps = 0;
  std::string failure;
};

Result run(const std::string& text, std::uint32_t seed, std::shared_ptr<compile::Tier> native,
           unsigned in_block) {
  device::DeviceOptions options;
  options.threads = 1;
  options.native = std::move(native);
  options.launch_limits.step_limit = 1u << 20;
  device::Device device(options);
  Result result;
  result.memory.resize(ctas * threads * 16);
  for (std::size_t i = 0; i < result.memory.size(); ++i)
    result.memory[i] = static_cast<std::uint32_t>((i * 2654435761u ^ seed) >> (i % 7 == 0 ? 0 : 24));
  device.allocate_at(buffer, 4 * result.memory.size(), "buffer");
  device.write(buffer, std::as_bytes(std::span(result.memory)));
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &buffer, sizeof buffer);
  try {
    device::Module* module = device.load_module({{"random", text}}, {});
    const device::LaunchConfig config{.grid = {ctas, 1, 1}, .block = {in_block, 1, 1}};
    const auto statistics = device.launch(device.function(module, "k"), config, parameters);
    result.warp_instructions = statistics.warp_instructions;
    result.thread_instructions = statistics.thread_instructions;
    result.steps = statistics.steps;
    result.native_steps = statistics.native_steps;
    device.read(buffer, std::as_writable_bytes(std::span(result.memory)));
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  return result;
}

}  // namespace

// More with WEDJAT_RANDOM_PROGRAMS=COUNT.
TEST_CASE("random programs do the same in both tiers") {
  const auto tier = [](compile::TierOptions options) {
    options.when = compile::When::always;
    return std::make_shared<compile::Tier>(options);
  };
  const auto whole = tier({}), left = tier({.leave = 3});
  if (const std::string missing = whole->missing(); !missing.empty()) {
    MESSAGE("no native code: " << missing);
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  const char* const asked = std::getenv("WEDJAT_RANDOM_PROGRAMS");
  const std::uint32_t count = asked != nullptr ? static_cast<std::uint32_t>(std::atoi(asked)) : 60;
  std::uint64_t steps = 0, native_steps = 0;
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    const std::string text = test::random_program(seed);
    CAPTURE(seed);
    const unsigned in_block = seed % 3 == 0 ? threads - 7 : threads;
    const Result interpreted = run(text, seed, nullptr, in_block);
    CHECK(interpreted.failure == "");
    for (const auto& native : {whole, left}) {
      const Result compiled = run(text, seed, native, in_block);
      CHECK(compiled.failure == interpreted.failure);
      CHECK(compiled.memory == interpreted.memory);
      CHECK(compiled.warp_instructions == interpreted.warp_instructions);
      CHECK(compiled.thread_instructions == interpreted.thread_instructions);
      CHECK(compiled.steps == interpreted.steps);
      steps += compiled.steps;
      native_steps += compiled.native_steps;
    }
  }
  CHECK(2 * native_steps > steps);
}
