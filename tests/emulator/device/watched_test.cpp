// Tools are shown the same by native code as by the interpreter, in the same order.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "emulator/programs/program.h"
#include "tests/emulator/device/case_run.h"
#include "tests/emulator/device/watcher.h"

using namespace wedjat;
using test::Wish;
namespace fs = std::filesystem;

namespace {

struct Tiers {
  std::shared_ptr<compile::Tier> whole, left;
};

// Empty, and said so, if there is no compiler.
Tiers make_tiers() {
  const auto tier = [](compile::TierOptions options) {
    options.when = compile::When::always;
    return std::make_shared<compile::Tier>(options);
  };
  Tiers tiers{tier({}), tier({.leave = 3})};
  if (const std::string missing = tiers.whole->missing(); !missing.empty()) {
    MESSAGE("no native code: " << missing);
    CHECK(!WEDJAT_HAS_COMPILER);
    return {};
  }
  return tiers;
}

struct Shown {
  test::Seen seen;
  test::Outcome outcome;
};

Shown watch(const test::CaseFile& file, Wish wish, std::shared_ptr<compile::Tier> native,
            unsigned threads = 1) {
  Shown shown;
  test::Watcher::wish = wish;
  test::Watcher::seen = &shown.seen;
  const wedjat_tool* const plain = Tool::describe<test::Watcher>("watcher", "writes down all it is shown");
  const wedjat_tool* const warps = Tool::describe<test::WarpWatcher>("warp_watcher", "and warps");
  hooks::Hooks hooks;
  hooks.add(wish == Wish::warps ? *warps : *plain);
  shown.outcome = test::run_case(file, threads, std::move(native), &hooks);
  hooks.finish();
  return shown;
}

struct Steps {
  std::uint64_t all = 0, native = 0;
};

void compare(const test::CaseFile& file, Wish wish, const Tiers& tiers, Steps& steps) {
  CAPTURE(file.name);
  CAPTURE(static_cast<int>(wish));
  const Shown expected = watch(file, wish, nullptr);
  for (const auto& native : {tiers.whole, tiers.left}) {
    const Shown got = watch(file, wish, native);
    CHECK(got.outcome.message == expected.outcome.message);
    CHECK(got.outcome.buffers == expected.outcome.buffers);
    CHECK(got.outcome.steps == expected.outcome.steps);
    CHECK(got.outcome.thread_instructions == expected.outcome.thread_instructions);
    CHECK(got.seen.counters == expected.seen.counters);
    REQUIRE(got.seen.events.size() == expected.seen.events.size());
    for (std::size_t e = 0; e < got.seen.events.size(); ++e)
      REQUIRE(got.seen.events[e] == expected.seen.events[e]);
    steps.all += got.outcome.steps;
    steps.native += got.outcome.native_steps;
  }
}

std::set<std::string> case_files() {
  std::set<std::string> paths;
  for (const char* folder : {"run", "fault"})
    for (const auto& entry :
         fs::directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/" + std::string(folder)))
      paths.insert(entry.path().string());
  for (const auto& entry : fs::recursive_directory_iterator(WEDJAT_SOURCE_DIR "/semantics"))
    if (entry.path().extension() == ".ptx") paths.insert(entry.path().string());
  return paths;
}

test::CaseFile random_case(std::uint32_t seed) {
  test::CaseFile file;
  file.name = "random program " + std::to_string(seed);
  file.text = programs::random_program({.seed = seed, .statements = 12, .races = seed % 2 == 0});
  test::CaseArgument& argument = file.arguments.emplace_back();
  argument.type = "u32";
  for (std::uint32_t i = 0; i < 4 * programs::ctas * programs::threads * programs::words; ++i)
    argument.bytes.push_back(static_cast<std::byte>((i * 2654435761u ^ seed) >> 24));
  file.launches.push_back({"k", {.grid = {programs::ctas, 1, 1}, .block = {programs::threads, 1, 1}}});
  return file;
}

}  // namespace

// Each by some of the wishes; by all with WEDJAT_ALL_WATCHED.
TEST_CASE("cases and examples of the manual are watched alike in both tiers") {
  const Tiers tiers = make_tiers();
  if (tiers.whole == nullptr) return;
  Steps steps;
  unsigned number = 0;
  const bool all = std::getenv("WEDJAT_ALL_WATCHED") != nullptr;
  for (const std::string& path : case_files()) {
    const test::CaseFile file = test::read_case(path);
    ++number;
    for (const Wish wish : test::all_wishes)
      if (all || (number + static_cast<unsigned>(wish)) % 4 == 0) compare(file, wish, tiers, steps);
  }
  // Code ran, or nothing was compared: it was an eighth of the steps on a processor with AVX-512.
  CHECK(20 * steps.native > steps.all);
}

// More with WEDJAT_RANDOM_PROGRAMS=COUNT.
TEST_CASE("random programs are watched alike in both tiers") {
  const Tiers tiers = make_tiers();
  if (tiers.whole == nullptr) return;
  const char* const asked = std::getenv("WEDJAT_RANDOM_PROGRAMS");
  const std::uint32_t count = asked != nullptr ? static_cast<std::uint32_t>(std::atoi(asked)) : 18;
  Steps steps;
  for (std::uint32_t seed = 1; seed <= count; ++seed)
    for (const Wish wish : test::all_wishes)
      // Each program by some of them.
      if ((seed + static_cast<unsigned>(wish)) % 3 == 0) compare(random_case(seed), wish, tiers, steps);
  CHECK(3 * steps.native > steps.all);
}

TEST_CASE("counters are the same on several threads in native code") {
  const Tiers tiers = make_tiers();
  if (tiers.whole == nullptr) return;
  for (const std::uint32_t seed : {1u, 3u, 5u}) {
    const Shown one = watch(random_case(seed), Wish::counts, nullptr);
    const Shown many = watch(random_case(seed), Wish::counts, tiers.whole, 3);
    CHECK(one.seen.counters == many.seen.counters);
    CHECK(one.outcome.buffers == many.outcome.buffers);
  }
}
