// The tiers do the same with programs that nobody wrote.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "emulator/programs/program.h"
#include "tests/emulator/compile/folder.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000u;
using programs::ctas, programs::threads, programs::words;

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
  result.memory.resize(std::size_t{ctas} * threads * words);
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

// Of each program's code, with other numbers.
constexpr std::uint32_t runs_of_each = 20;

// More with WEDJAT_RANDOM_PROGRAMS=COUNT.
TEST_CASE("random programs do the same in both tiers") {
  const test::Folder folder;
  const auto tier = [&](std::uint32_t leave, compile::When when) {
    return std::make_shared<compile::Tier>(
        compile::TierOptions{.when = when, .leave = leave, .cache = folder.path});
  };
  const auto whole = tier(0, compile::When::always), left = tier(3, compile::When::always);
  if (const std::string missing = whole->missing(); !missing.empty()) {
    MESSAGE("no native code: " << missing);
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  const char* const asked = std::getenv("WEDJAT_RANDOM_PROGRAMS");
  const std::uint32_t count = asked != nullptr ? static_cast<std::uint32_t>(std::atoi(asked)) : 60;
  std::uint64_t steps = 0, native_steps = 0;
  const auto text_of = [](std::uint32_t seed) {
    // Every other one meets in shared memory, which the tiers do alike, too.
    return programs::random_program({.seed = seed, .statements = 12, .races = seed % 2 == 0});
  };
  const auto compare = [&](std::uint32_t seed, std::uint32_t numbers, const auto& tiers) {
    const std::string text = text_of(seed);
    CAPTURE(seed);
    CAPTURE(numbers);
    const unsigned in_block = seed % 3 == 0 ? threads - 7 : threads;
    const Result interpreted = run(text, numbers, nullptr, in_block);
    // Programs are made for whole blocks: in others matrices and mbarriers fail, in both tiers alike.
    if (in_block == threads) CHECK(interpreted.failure == "");
    for (const auto& native : tiers) {
      const Result compiled = run(text, numbers, native, in_block);
      CHECK(compiled.failure == interpreted.failure);
      CHECK(compiled.memory == interpreted.memory);
      CHECK(compiled.warp_instructions == interpreted.warp_instructions);
      CHECK(compiled.thread_instructions == interpreted.thread_instructions);
      CHECK(compiled.steps == interpreted.steps);
      steps += compiled.steps;
      native_steps += compiled.native_steps;
    }
  };
  for (std::uint32_t seed = 1; seed <= count; ++seed) compare(seed, seed, std::array{whole, left});
  CHECK(3 * native_steps > steps);  // what is seldom used is not made native
  // To make code takes longest: the same code gets other numbers, with which lanes take other ways.
  whole->stop();
  left->stop();
  steps = native_steps = 0;
  const std::array kept{tier(0, compile::When::hot), tier(3, compile::When::hot)};
  for (std::uint32_t seed = 1; seed <= count; ++seed)
    for (std::uint32_t others = 1; others <= runs_of_each; ++others)
      compare(seed, seed + 1000 * others, kept);
  CHECK(4 * native_steps > steps);
}

TEST_CASE("loads of several registers under a guard become native code") {
  compile::TierOptions options;
  options.when = compile::When::always;
  const auto tier = std::make_shared<compile::Tier>(options);
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  const std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b16 %h<2>; .reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %q;
  ld.param.u64 %d0, [p];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 64;
  add.s64 %d0, %d0, %d1;
  setp.gt.u32 %q, %r0, 9;
  mov.u16 %h0, 1;
  mov.u16 %h1, 2;
  @%q ld.global.v2.u16 {%h0, %h1}, [%d0];
  st.global.v2.u16 [%d0+8], {%h1, %h0};
  ret;
}
)";
  const Result interpreted = run(text, 5, nullptr, threads), compiled = run(text, 5, tier, threads);
  CHECK(interpreted.failure == "");
  CHECK(compiled.memory == interpreted.memory);
  CHECK(compiled.native_steps > 0);
}
