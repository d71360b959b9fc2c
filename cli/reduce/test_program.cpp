#include "cli/reduce/test_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace wedjat::reduce {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  fs::path path;
  Scratch() {
    std::string name = (fs::temp_directory_path() / "wedjat-reduce-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": " + std::strerror(errno));
    path = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

pid_t start(const std::string& program, const fs::path& folder) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string name = program, file = "case.ptx";
  char* const arguments[] = {name.data(), file.data(), nullptr};
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error(program + ": " + std::strerror(error));
  return child;
}

}  // namespace

bool test_says_yes(const std::string& program, const std::string& text, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Scratch scratch;
  std::ofstream(scratch.path / "case.ptx", std::ios::binary) << text;
  const pid_t child = start(fs::absolute(program).string(), scratch.path);
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  auto pause = std::chrono::microseconds(200);
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > end) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(pause);
    if (pause.count() < 20000) pause *= 2;
  }
  kill(-child, SIGKILL);  // what it may have left running
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace wedjat::reduce
