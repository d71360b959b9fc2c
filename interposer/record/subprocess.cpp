#include "interposer/record/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace wedjat::interposer {
namespace {

// Everything exec needs, made before fork: afterwards only async-signal-safe calls may be used.
class Image {
 public:
  Image(const std::vector<std::string>& command, const Environment& environment) : command_(command) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      if (!environment.contains(text.substr(0, text.find('=')))) variables_.push_back(text);
    }
    for (const auto& [name, value] : environment) variables_.push_back(name + "=" + value);
    for (std::string& argument : command_) arguments_.push_back(argument.data());
    for (std::string& variable : variables_) environment_.push_back(variable.data());
    arguments_.push_back(nullptr);
    environment_.push_back(nullptr);
  }
  void exec() { ::execvpe(arguments_[0], arguments_.data(), environment_.data()); }

 private:
  std::vector<std::string> command_;
  std::vector<std::string> variables_;
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
};

pid_t checked_fork() {
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error(std::string("cannot fork: ") + std::strerror(errno));
  return process;
}

// Reads to the end of the pipe; false if that takes longer.
bool read_until(int pipe, int seconds, std::string& text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{pipe, POLLIN, 0};
    const int result = ::poll(&ready, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (result < 0 && errno == EINTR) continue;
    if (result <= 0) return false;
    char buffer[4096];
    const ssize_t size = ::read(pipe, buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(size));
  }
}

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
volatile sig_atomic_t recorded_program = 0;

void forward(int signal, siginfo_t* info, void*) {
  // What the terminal sends reaches the program without us: it is in the same process group.
  if (info->si_code != SI_KERNEL && recorded_program > 0) ::kill(recorded_program, signal);
}

}  // namespace

Finished run_and_wait(const std::vector<std::string>& command, const Environment& environment, int seconds) {
  Image image(command, environment);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  const pid_t process = checked_fork();
  if (process == 0) {
    ::setpgid(0, 0);  // Ctrl-C is for the recorded program
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    image.exec();
    ::_exit(127);
  }
  ::setpgid(process, process);
  ::close(ends[1]);
  Finished finished;
  const bool in_time = read_until(ends[0], seconds, finished.output);
  ::close(ends[0]);
  if (!in_time) ::kill(-process, SIGKILL);
  while (::waitpid(process, &finished.status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    throw std::runtime_error(command[0] + " did not end within " + std::to_string(seconds) +
                             " s: " + finished.output);
  }
  return finished;
}

pid_t start_daemon(const std::vector<std::string>& command, const Environment& environment,
                   const std::string& log) {
  Image image(command, environment);
  const pid_t process = checked_fork();
  if (process != 0) return process;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  image.exec();
  ::_exit(127);
}

pid_t start_program(const std::vector<std::string>& command, const Environment& environment) {
  Image image(command, environment);
  const pid_t process = checked_fork();
  if (process != 0) return process;
  image.exec();
  std::fprintf(stderr, "wedjat: %s cannot be run: %s\n", command[0].c_str(), std::strerror(errno));
  ::_exit(127);
}

int wait_forwarding_signals(pid_t program) {
  recorded_program = program;
  struct sigaction ours {};
  ours.sa_sigaction = forward;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  // For good: a second Ctrl-C must not cost the trace while the session is closed.
  for (const int signal : kForwarded) ::sigaction(signal, &ours, nullptr);
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  recorded_program = 0;
  return status;
}

bool ended(pid_t process, int milliseconds) {
  for (int waited = 0; waited <= milliseconds; ++waited) {
    int status = 0;
    const pid_t result = ::waitpid(process, &status, WNOHANG);
    if (result == process || (result < 0 && errno == ECHILD)) return true;
    ::poll(nullptr, 0, 1);
  }
  return false;
}

}  // namespace wedjat::interposer
