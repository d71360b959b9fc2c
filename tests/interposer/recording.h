// Records the driver program against the fake driver and opens what came out.
#pragma once

#include <filesystem>
#include <string>

#include "traces/read/trace.h"

namespace test {

// A folder that goes away with the test.
class Folder {
 public:
  Folder();
  ~Folder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The recorder, the fake driver and the program to record: those of the build tree, or copies.
struct Installed {
  std::filesystem::path recorder = WEDJAT_RECORDER, driver = WEDJAT_FAKE_DRIVER,
                        program = WEDJAT_DRIVER_PROGRAM;
};
// Copies into `folder` that any user may run, wherever the build tree lies.
Installed installed_for_everybody(const std::filesystem::path& folder);

std::string record_command(const std::filesystem::path& trace, const std::string& arguments,
                           const std::string& program = "", const Installed& installed = {});

int run(const std::string& command);  // the exit code; output is silenced

// The first call of that symbol at or after `from`.
const wedjat::traces::Call& call_of(const wedjat::traces::Calls& calls, std::string_view symbol,
                                    std::size_t nth = 0);

}  // namespace test
