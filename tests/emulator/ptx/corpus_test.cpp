// accept/ and reject/: the folder is the expectation, for the module and all its bodies.
#include <algorithm>
#include <vector>

#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

namespace {

std::vector<std::filesystem::path> cases(const char* verdict) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / verdict))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string outcome(const std::filesystem::path& file) {
  try {
    parse_bodies(*Module::parse(file.filename().string(), read_file(file)));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every file of accept/ parses") {
  const auto files = cases("accept");
  CHECK(files.size() >= 163);
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    CHECK(outcome(file) == "");
  }
}

TEST_CASE("every file of reject/ is refused with the place and the line") {
  const auto files = cases("reject");
  CHECK(files.size() >= 36);
  for (const auto& file : files) {
    CAPTURE(file.filename().string());
    const std::string message = outcome(file);
    CHECK(message.starts_with(file.filename().string() + ":"));
    CHECK(message.find("\n  ") != std::string::npos);
    CHECK(message.ends_with("^"));
  }
}
