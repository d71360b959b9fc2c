// Every case in native code: the same bits, counts and messages as the interpreter's.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/emulator/compile/folder.h"
#include "tests/emulator/device/case_run.h"

using namespace wedjat;
using test::Outcome;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> all_cases() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases"))
    if (entry.is_regular_file()) paths.push_back(entry.path().string());
  for (const auto& entry : fs::recursive_directory_iterator(WEDJAT_SOURCE_DIR "/semantics"))
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path().string());
  return paths;
}

void compare_all(const std::shared_ptr<compile::Tier>& tier) {
  std::uint64_t steps = 0, native_steps = 0;
  for (const std::string& path : all_cases()) {
    const test::CaseFile file = test::read_case(path);
    CAPTURE(file.name);
    const Outcome interpreted = test::run_case(file, 1);
    const Outcome native = test::run_case(file, 1, tier);
    CHECK(native.ending == interpreted.ending);
    CHECK(native.message == interpreted.message);
    CHECK(native.printed == interpreted.printed);
    CHECK(native.buffers == interpreted.buffers);
    CHECK(native.warp_instructions == interpreted.warp_instructions);
    CHECK(native.thread_instructions == interpreted.thread_instructions);
    CHECK(native.steps == interpreted.steps);
    CHECK(interpreted.native_steps == 0);
    // Its steps are attempts to get a lock, each of which needs the turn.
    if (file.name.find("spin_lock") != std::string::npos) continue;
    steps += native.steps;
    native_steps += native.native_steps;
  }
  // Else both would be the interpreter.
  CHECK(2 * native_steps > steps);
}

// First with code that is made, then with what was kept of it.
void check_tier(compile::TierOptions options) {
  const test::Folder folder;
  options.when = compile::When::always;
  options.tell = [](const std::string& what) { FAIL_CHECK(what); };
  options.cache = folder.path;
  const auto making = std::make_shared<compile::Tier>(options);
  if (const std::string missing = making->missing(); !missing.empty()) {
    MESSAGE("no native code: " << missing);
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  compare_all(making);
  making->stop();
  // Nothing runs often enough for code to be made.
  options.when = compile::When::hot;
  const auto finding = std::make_shared<compile::Tier>(options);
  compare_all(finding);
  unsigned kept = 0;
  for (const compile::KernelReport& report : finding->reports()) kept += report.kept;
  CHECK(kept > 300);
}

}  // namespace

TEST_CASE("native code for this processor does what the interpreter does") { check_tier({}); }
TEST_CASE("native code without AVX-512 does too") { check_tier({.features = "-avx512f"}); }
TEST_CASE("native code for the plainest processor that this runs on does too") {
  check_tier({.features = "-avx512f,-avx2,-avx,-fma,-f16c,-bmi,-bmi2,-sse4.2,-popcnt"});
}
TEST_CASE("native code that is left again and again does too") { check_tier({.leave = 5}); }

TEST_CASE("lanes in a function run native code while others wait where it was called") {
  const auto tier = std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always});
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  const test::CaseFile file =
      test::read_case(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/run/divergent_call.ptx");
  const Outcome native = test::run_case(file, 1, tier);
  CHECK(native.message == "");
  CHECK(10 * native.native_steps > 9 * native.steps);
}
