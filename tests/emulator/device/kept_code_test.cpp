// Native code that an earlier tier kept: it is there at the first launch, and never where it does not belong.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/emulator/compile/folder.h"
#include "tests/emulator/device/case_run.h"

using namespace wedjat;
using test::Outcome;
namespace fs = std::filesystem;

namespace {

struct Ran {
  Outcome outcome;
  unsigned pieces = 0, kept = 0;
  std::vector<std::string> told;
};

Ran run(compile::TierOptions options, const char* name = "run/divergent_call.ptx") {
  Ran ran;
  options.tell = [&](const std::string& what) { ran.told.push_back(what); };
  const auto tier = std::make_shared<compile::Tier>(options);
  const fs::path path = fs::path(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases") / name;
  ran.outcome = test::run_case(test::read_case(path.string()), 1, tier);
  for (const compile::KernelReport& report : tier->reports()) {
    ran.pieces += report.pieces;
    ran.kept += report.kept;
  }
  tier->stop();
  return ran;
}

bool has_compiler() {
  const bool has = compile::Tier({}).missing().empty();
  CHECK(has == WEDJAT_HAS_COMPILER);
  return has;
}

void check_same(const Outcome& a, const Outcome& b) {
  CHECK(a.message == b.message);
  CHECK(a.buffers == b.buffers);
  CHECK(a.steps == b.steps);
  CHECK(a.warp_instructions == b.warp_instructions);
  CHECK(a.thread_instructions == b.thread_instructions);
}

template <class Change>
void change_files(const fs::path& folder, Change&& change) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".code") continue;
    std::ifstream from(entry.path(), std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(from)), {});
    change(all);
    std::ofstream(entry.path(), std::ios::binary) << all;
  }
}

}  // namespace

TEST_CASE("kept code runs at the first launch, and nothing is made") {
  if (!has_compiler()) return;
  const test::Folder folder;
  const Ran made = run({.when = compile::When::always, .cache = folder.path});
  CHECK(made.kept == 0);
  CHECK(made.pieces > 0);
  const Ran found = run({.cache = folder.path});
  CHECK(found.kept == made.pieces);
  CHECK(found.pieces == 0);
  CHECK(found.outcome.native_steps == made.outcome.native_steps);
  CHECK(made.told.empty());
  CHECK(found.told.empty());
  check_same(found.outcome, made.outcome);
  CHECK(run({.when = compile::When::always, .cache = folder.path}).pieces == 0);
}

TEST_CASE("kept code is for one kernel, one processor and one way of making it") {
  if (!has_compiler()) return;
  const test::Folder folder;
  run({.when = compile::When::always, .cache = folder.path});
  CHECK(run({.cache = folder.path}, "run/loop_trip_counts.ptx").kept == 0);
  CHECK(run({.features = "-avx512f", .cache = folder.path}).kept == 0);
  CHECK(run({.leave = 5, .cache = folder.path}).kept == 0);
  CHECK(run({}).kept == 0);
  CHECK(run({.cache = folder.path}).kept > 0);
}

TEST_CASE("damaged code is said to be, and the interpreter runs") {
  if (!has_compiler()) return;
  const test::Folder folder;
  const Ran made = run({.when = compile::When::always, .cache = folder.path});
  const auto refused = [&] {
    const Ran ran = run({.cache = folder.path});
    CHECK(ran.kept == 0);
    CHECK(ran.outcome.native_steps == 0);
    REQUIRE(ran.told.size() == 1);
    CHECK(ran.told[0].find("kept native code is not used") != std::string::npos);
    check_same(ran.outcome, made.outcome);
  };
  change_files(folder.path, [](std::string& all) { all[all.size() / 2] ^= 1; });
  refused();
  // It is made again, and kept.
  CHECK(run({.when = compile::When::always, .cache = folder.path}).pieces == made.pieces);
  CHECK(run({.cache = folder.path}).kept == made.pieces);
  change_files(folder.path, [](std::string& all) { all.resize(all.size() - 1); });
  refused();
  change_files(folder.path, [](std::string& all) { all.clear(); });
  refused();
  change_files(folder.path, [](std::string& all) { all = "#!/bin/sh\n"; });
  refused();
}
