#include "cli/gpu/runner.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "cli/foreign/program.h"

extern char** environ;

namespace wedjat::gpu {
namespace {

namespace fs = std::filesystem;

constexpr int no_driver = 2;  ///< exit code of the program
constexpr double start_seconds = 60, end_seconds = 20;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void system_failed(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// Whether it ended; a process that hangs in the driver is left behind.
bool waited(pid_t process) {
  const bool gone = foreign::ends_within(process, end_seconds);
  if (gone) waitpid(process, nullptr, 0);
  return gone;
}

// What is compiled is not kept: it would be looked for, and never found.
std::vector<std::string> environment() {
  std::vector<std::string> all = {"CUDA_CACHE_DISABLE=1"};
  for (char** each = environ; *each != nullptr; ++each) all.emplace_back(*each);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& each : texts) all.push_back(each.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Runner::Runner() {
  const fs::path program =
      fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib/wedjat/wedjat-gpu-runner";
  // Closed in other processes that are started meanwhile: else the end of this one would not be seen.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) system_failed("a socket");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // Ctrl-C is for the command
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> arguments = {program.string()}, variables = environment();
  const int error = posix_spawn(&process_, program.c_str(), &actions, &attributes, pointers(arguments).data(),
                                pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  socket_ = ends[0];
  if (error == 0) return;
  close(socket_);
  throw std::runtime_error(program.string() + ": " + std::strerror(error));
}

Runner::~Runner() {
  close(socket_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waited(process_);
}

// What waits for the GPU cannot be killed before the driver gives it up.
void Runner::give_up() {
  kill(process_, SIGKILL);
  const bool gone = waited(process_);
  process_ = -1;
  if (!gone)
    throw std::runtime_error("the GPU hangs: a process that runs a kernel does not end when it is killed");
}

void Runner::died() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_driver)
    throw std::runtime_error("no kernel can be run on a GPU here");
  throw Died(WIFSIGNALED(status) ? fmt::format("the process died of signal {}", WTERMSIG(status))
                                 : fmt::format("the process ended with {}", WEXITSTATUS(status)));
}

void Runner::write(const std::vector<std::byte>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    // A process that died is told by an error, not by a signal.
    const ssize_t more = send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (more > 0) done += static_cast<std::size_t>(more);
    if (more < 0 && errno != EINTR) died();
  }
}

void Runner::read(void* to, std::size_t bytes, double end) {
  for (std::size_t done = 0; done < bytes;) {
    pollfd ready{socket_, POLLIN, 0};
    const int left = static_cast<int>(std::max(0.0, end - now()) * 1000);
    if (poll(&ready, 1, left) == 0) {
      give_up();
      throw Died("it is not done in time");
    }
    const ssize_t more = recv(socket_, static_cast<char*>(to) + done, bytes - done, 0);
    if (more == 0 || (more < 0 && errno != EINTR)) died();
    if (more > 0) done += static_cast<std::size_t>(more);
  }
}

Answer Runner::ask(const std::vector<std::byte>& job, double seconds) {
  if (!ready_) {
    char byte = 0;
    read(&byte, 1, now() + start_seconds);
    ready_ = true;
  }
  const double end = now() + seconds;
  write(job);
  WedjatGpuAnswer head{};
  read(&head, sizeof head, end);
  Answer answer;
  answer.error = head.error;
  answer.last = head.last != 0;
  answer.text.resize(head.text_bytes);
  answer.contents.resize(head.bytes);
  read(answer.text.data(), answer.text.size(), end);
  read(answer.contents.data(), answer.contents.size(), end);
  return answer;
}

}  // namespace wedjat::gpu
