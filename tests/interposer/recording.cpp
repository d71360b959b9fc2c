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

Installed installed_for_everybody(const fs::path& folder) {
  const Installed built;
  const fs::path libraries = built.recorder.parent_path().parent_path() / "lib/wedjat";
  const Installed copies{folder / "bin" / built.recorder.filename(), folder / built.driver.filename(),
                         folder / built.program.filename()};
  fs::create_directories(folder / "bin");
  fs::create_directories(folder / "lib/wedjat");
  fs::copy(built.recorder, copies.recorder);
  fs::copy(built.driver, copies.driver);
  fs::copy(built.program, copies.program);
  for (const auto& library : fs::directory_iterator(libraries))
    if (library.path().extension() == ".so") fs::copy(library.path(), folder / "lib/wedjat");
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    fs::permissions(entry.path(), fs::perms(0755));
  return copies;
}

std::string record_command(const fs::path& trace, const std::string& arguments, const std::string& program,
                           const Installed& installed) {
  return installed.recorder.string() + " record -o " + trace.string() + " --driver " +
         installed.driver.string() + " -- " + (program.empty() ? installed.program.string() : program) + " " +
         arguments;
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
