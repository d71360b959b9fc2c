#include "cli/foreign/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wedjat::foreign {
namespace {

namespace fs = std::filesystem;

pid_t start(std::vector<std::string> command, const fs::path& folder) {
  command.emplace_back("case.ptx");
  // From here on the folder is another one; a name without a slash is looked for in PATH.
  if (command[0].find('/') != std::string::npos) command[0] = fs::absolute(command[0]).string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "said.txt", O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& each : command) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::runtime_error(command[0] + ": " + std::strerror(error));
  return child;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "wedjat-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": " + std::strerror(errno));
  path = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// glibc 2.36 declares pidfd_open for C only.
bool ends_within(pid_t process, double seconds) {
  pollfd ended{static_cast<int>(syscall(SYS_pidfd_open, process, 0)), POLLIN, 0};
  if (ended.fd < 0) throw std::runtime_error(std::string("pidfd_open: ") + std::strerror(errno));
  const int events = poll(&ended, 1, static_cast<int>(seconds * 1000));
  close(ended.fd);
  return events > 0;
}

bool says_yes(const std::vector<std::string>& command, const std::string& text, double seconds,
              std::string* said, std::string* made) {
  const Scratch scratch;
  std::ofstream(scratch.path / "case.ptx", std::ios::binary) << text;
  const pid_t child = start(command, scratch.path);
  const bool in_time = ends_within(child, seconds);
  kill(-child, SIGKILL);  // and what it may have left running
  int status = 0;
  waitpid(child, &status, 0);
  if (!in_time) {
    if (said != nullptr) *said = fmt::format("{} was not done after {} seconds", command[0], seconds);
    return false;
  }
  if (said != nullptr) *said = contents(scratch.path / "said.txt");
  if (made != nullptr) *made = contents(scratch.path / "case.made");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace wedjat::foreign
