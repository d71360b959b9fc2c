#include "cli/options/supervised.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "cli/terminal/exit_codes.h"
#include "emulator/hooks/session/witness.h"
#include "traces/read/temporary.h"

namespace wedjat::cli {
namespace {

volatile sig_atomic_t child = 0;
volatile sig_atomic_t asked_to_end = 0;  // the signal

// What a terminal sends reaches the child too; what a process sends to us alone does not.
void pass_on(int signal, siginfo_t* from, void*) {
  asked_to_end = signal;
  if (from->si_code <= 0) kill(static_cast<pid_t>(child), signal);
}

[[noreturn]] void end_with_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
  _exit(128 + signal);
}

[[noreturn]] void judge(int status) {
  const hooks::Witness& witness = hooks::Witness::here();
  const int told = witness.told;
  if (WIFEXITED(status) && told == WEXITSTATUS(status)) _exit(told);
  const std::string tool = witness.inside();
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == asked_to_end || (tool.empty() && told == hooks::Witness::not_told)))
    end_with_signal(WTERMSIG(status));
  // It was asked to end, cleaned up, and ended in the way of shells.
  if (WIFEXITED(status) && asked_to_end != 0 && WEXITSTATUS(status) == 128 + asked_to_end)
    _exit(WEXITSTATUS(status));
  fmt::print(stderr, "wedjat: error: {} ended the run: {}\n", tool.empty() ? "a tool" : "tool " + tool,
             WIFSIGNALED(status) ? fmt::format("signal {}, {}", WTERMSIG(status), strsignal(WTERMSIG(status)))
                                 : fmt::format("the process exited with {}", WEXITSTATUS(status)));
  _exit(tool_died);
}

// A process that a tool stopped would be waited for in vain: it is ended. Ctrl-Z (SIGTSTP) stops both
// processes, and both go on together.
int end_of(pid_t pid) {
  for (int status = 0;;) {
    if (waitpid(pid, &status, WUNTRACED) < 0) continue;  // a signal came
    if (!WIFSTOPPED(status)) return status;
    if (WSTOPSIG(status) == SIGSTOP && !hooks::Witness::here().inside().empty()) kill(pid, SIGKILL);
  }
}

}  // namespace

void supervise() {
  hooks::Witness::share();
  traces::share_temporaries();
  std::fflush(nullptr);
  // Whoever started us may have it ignored, and then nothing can be waited for.
  std::signal(SIGCHLD, SIG_DFL);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "a run with tools cannot be started");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(tool_died);
    return;
  }
  child = pid;
  struct sigaction passing {};
  passing.sa_sigaction = pass_on;
  passing.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    sigaction(signal, &passing, nullptr);
  const int status = end_of(pid);
  traces::remove_shared_temporaries();
  judge(status);
}

int told(int exit_code) {
  std::fflush(nullptr);
  hooks::Witness::here().told = exit_code;
  return exit_code;
}

}  // namespace wedjat::cli
