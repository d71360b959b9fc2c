// Prints what recording costs: each case by itself, native and recorded.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "benchmarks/record/cases.h"

namespace {

namespace fs = std::filesystem;
using namespace wedjat::benchmarks;

struct Folder {
  Folder() {
    char name[] = "/tmp/wedjat-bench-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("/tmp: cannot make a folder");
    path = name;
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  fs::path path;
};

// What the command printed: a number of seconds.
double seconds_of(const std::string& command) {
  std::FILE* output = ::popen(command.c_str(), "r");
  if (output == nullptr) throw std::runtime_error("cannot run: " + command);
  double seconds = -1;
  const int read = std::fscanf(output, "%lf", &seconds);
  if (::pclose(output) != 0 || read != 1) throw std::runtime_error("failed: " + command);
  return seconds;
}

double wall_seconds(const std::string& command) {
  const auto start = std::chrono::steady_clock::now();
  if (std::system((command + " >/dev/null 2>&1").c_str()) != 0)
    throw std::runtime_error("failed: " + command);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const Case& one, unsigned rounds, const std::string& self, const std::string& recorder,
             const std::string& driver) {
  const Folder folder;
  const std::string run = " --run " + std::string(one.name) + " --rounds " + std::to_string(rounds);
  const double native = seconds_of(self + run + " --driver " + driver);
  const std::string record = recorder + " record -o " + (folder.path / "trace").string() +
                             (driver.find('/') == std::string::npos ? "" : " --driver " + driver) + " -- ";
  const double recorded = seconds_of(record + self + run + " 2>/dev/null");
  std::printf("%-10s %8.3f s %8.3f s %6.2fx", one.name.data(), native, recorded, recorded / native);
  if (one.megabytes > 0)
    std::printf("  %6.2f GB/s", one.megabytes * 1048576e-9 * rounds / recorded);
  else
    std::printf("  %6.2f us/call more", (recorded - native) * 1e6 / rounds / one.calls);
  std::printf("   %s\n", one.what);
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("What recording costs");
  std::string driver = "libcuda.so.1", run, recorder;
  std::vector<std::string> names;
  unsigned rounds = 0;
  app.add_option("cases", names, "Only these");
  app.add_option("--driver", driver, "The CUDA driver; that of the tests needs no GPU")
      ->capture_default_str();
  app.add_option("--rounds", rounds, "Instead of each case's own number");
  app.add_option("--recorder", recorder, "wedjat (default: beside this program)");
  app.add_option("--run", run, "Run this case here and print its seconds");
  CLI11_PARSE(app, count, arguments);
  try {
    if (!run.empty()) {
      std::printf("%f\n", run_case(driver, run, rounds));
      return 0;
    }
    const fs::path self = fs::read_symlink("/proc/self/exe");
    if (recorder.empty()) recorder = (self.parent_path() / "wedjat").string();
    const Folder folder;
    std::printf("start and end %.3f s\n",
                wall_seconds(recorder + " record -o " + (folder.path / "t").string() + " -- /bin/true"));
    std::printf("%-10s %10s %10s %7s\n", "case", "native", "recorded", "ratio");
    for (const Case& one : cases())
      if (names.empty() || std::find(names.begin(), names.end(), one.name) != names.end())
        measure(one, rounds ? rounds : one.rounds, self.string(), recorder, driver);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat-bench-record: %s\n", error.what());
    return 1;
  }
}
