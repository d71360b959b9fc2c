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

// What stands before `wedjat-recorder` on the command line, e.g. a change of user.
std::string record_command(const std::filesystem::path& trace, const std::string& arguments,
                           const std::string& program = "");

int run(const std::string& command);  // the exit code; output is silenced

// The first call of that symbol at or after `from`.
const wedjat::traces::Call& call_of(const wedjat::traces::Calls& calls, std::string_view symbol,
                                    std::size_t nth = 0);

}  // namespace test
