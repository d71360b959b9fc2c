#include "tests/interposer/recording.h"

#include <sys/wait.h>

#include <cstdlib>
#include <stdexcept>

namespace test {
namespace fs = std::filesystem;

Folder::Folder() {
  char name[] = "/tmp/wedjat-test-XXXXXX";
  if (::mkdtemp(name) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = name;
  fs::permissions(path_, fs::perms::all);
}

Folder::~Folder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string record_command(const fs::path& trace, const std::string& arguments, const std::string& program) {
  return std::string(WEDJAT_RECORDER) + " record -o " + trace.string() + " --driver " + WEDJAT_FAKE_DRIVER +
         " -- " + (program.empty() ? WEDJAT_DRIVER_PROGRAM : program) + " " + arguments;
}

int run(const std::string& command) {
  const int status = std::system((command + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const wedjat::traces::Call& call_of(const wedjat::traces::Calls& calls, std::string_view symbol,
                                    std::size_t nth) {
  for (const wedjat::traces::Call& call : calls.calls) {
    if (call.symbol == symbol && nth-- == 0) return call;
  }
  throw std::runtime_error("the trace has no such call: " + std::string(symbol));
}

}  // namespace test
