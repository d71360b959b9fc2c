#include "tests/emulator/hardware/devices/assembler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/emulator/hardware/devices/cuda_driver.h"

namespace wedjat::hardware_truth {
namespace {

namespace fs = std::filesystem;

// A folder of its own, gone with this.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "truthXXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw CudaError(name + ": cannot be made");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string assemble(const std::string& ptxas, const std::string& level, const std::string& ptx) {
  const Folder folder;
  const std::string source = folder.file("kernels.ptx"), code = folder.file("kernels.cubin"),
                    log = folder.file("log");
  std::ofstream(source) << ptx;
  const char* const arguments[] = {ptxas.c_str(), "-arch=sm_90a", level.c_str(), "-o",
                                   code.c_str(),  source.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, ptxas.c_str(), &actions, nullptr,
                                    const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || ::waitpid(process, &status, 0) != process)
    throw CudaError(fmt::format("{} cannot be started", ptxas));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw CudaError(fmt::format("{}: {}", ptxas, contents(log)));
  return contents(code);
}

}  // namespace

std::string assembled(const std::string& ptxas, unsigned optimisation, const std::string& ptx,
                      const std::string& kept) {
  const std::string level = fmt::format("-O{}", optimisation);
  if (kept.empty()) return assemble(ptxas, level, ptx);
  const fs::path file =
      fs::path(kept) / fmt::format("{:016x}{}.cubin", XXH3_64bits(ptx.data(), ptx.size()), level);
  if (fs::exists(file)) return contents(file.string());
  const std::string code = assemble(ptxas, level, ptx);
  fs::create_directories(kept);
  const std::string unfinished = fmt::format("{}.{}", file.string(), ::getpid());
  std::ofstream(unfinished, std::ios::binary) << code;
  fs::rename(unfinished, file);
  return code;
}

}  // namespace wedjat::hardware_truth
