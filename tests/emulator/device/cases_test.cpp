// Every file under cases/, and the examples of the manual: see README.md.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/emulator/device/case_run.h"

using namespace wedjat;
using test::Ending;
using test::Outcome;
namespace fs = std::filesystem;

namespace {

void check_buffers(const test::CaseFile& file, const Outcome& outcome) {
  for (const auto& [which, expected] : file.expected) {
    const auto& argument = file.arguments[which];
    const auto& got = outcome.buffers[which];
    REQUIRE(got.size() == expected.size());
    const unsigned size = test::size_of_type(argument.type);
    int shown = 0;
    for (std::size_t at = 0; at < got.size(); at += size) {
      if (std::equal(got.begin() + at, got.begin() + at + size, expected.begin() + at) || ++shown > 4)
        continue;
      FAIL_CHECK(file.name << ": argument " << which << " element " << at / size << ": expected "
                           << test::element_text(argument.type, expected.data() + at) << ", got "
                           << test::element_text(argument.type, got.data() + at));
    }
    CHECK(got == expected);
  }
}

void check_file(const std::string& path, Ending ending) {
  const test::CaseFile file = test::read_case(path);
  CAPTURE(file.name);
  const Outcome outcome = test::run_case(file, 1);
  INFO(outcome.message);
  CHECK(outcome.ending == ending);
  for (const std::string& error : file.errors) {
    INFO(error);
    CHECK(outcome.message.find(error) != std::string::npos);
  }
  if (ending != Ending::well) CHECK(!file.errors.empty());
  if (outcome.ending == Ending::well) check_buffers(file, outcome);
  CHECK(outcome.printed == file.printed);
  const Outcome threaded = test::run_case(file, 3);
  CHECK(threaded.message == outcome.message);
  CHECK(threaded.printed == outcome.printed);
  if (ending == Ending::well) CHECK(threaded.buffers == outcome.buffers);
}

void check_folder(const std::string& folder, Ending ending) {
  std::set<std::string> paths;
  for (const auto& entry : fs::directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/device/cases/" + folder))
    paths.insert(entry.path().string());
  REQUIRE(paths.size() > 3);
  for (const std::string& path : paths) check_file(path, ending);
}

}  // namespace

TEST_CASE("cases that run") { check_folder("run", Ending::well); }
TEST_CASE("cases that fail while they run") { check_folder("fault", Ending::fault); }
TEST_CASE("cases that are refused") { check_folder("refuse", Ending::refused); }

TEST_CASE("examples of the manual say what they leave or how they fail, and do") {
  std::size_t examples = 0;
  for (const auto& entry : fs::recursive_directory_iterator(WEDJAT_SOURCE_DIR "/semantics")) {
    if (entry.path().extension() != ".ptx") continue;
    const test::CaseFile file = test::read_case(entry.path().string());
    CAPTURE(file.name);
    CHECK(file.expected.empty() != file.errors.empty());
    // Whoever changes an example runs it on the hardware again (tests/emulator/hardware), or takes the line
    // away.
    if (!file.hardware.empty()) CHECK(file.hardware.ends_with(": " + test::digest(file)));
    check_file(entry.path().string(), file.errors.empty() ? Ending::well : Ending::fault);
    ++examples;
  }
  CHECK(examples > 50);
}
