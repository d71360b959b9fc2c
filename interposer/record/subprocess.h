// Running the LTTng tools and the recorded program.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace wedjat::interposer {

using Environment = std::map<std::string, std::string>;  // what is added to ours

struct Finished {
  int status = 0;  // as waitpid tells it
  std::string output;
};

// Runs to the end; stdout and stderr together come back. A command that takes longer than `seconds` is killed
// and std::runtime_error thrown with what it had said.
Finished run_and_wait(const std::vector<std::string>& command, const Environment& environment, int seconds);

// Starts in a process group of its own, silent; ends with us at the latest.
pid_t start_daemon(const std::vector<std::string>& command, const Environment& environment,
                   const std::string& log);

// Starts in our process group, with our files; prints why if the program cannot be run and exits with 127
// then.
pid_t start_program(const std::vector<std::string>& command, const Environment& environment);

// Waits for the program, handing on SIGINT, SIGTERM, SIGHUP and SIGQUIT that only we got. Returns waitpid's
// status.
int wait_forwarding_signals(pid_t program);

bool ended(pid_t process, int milliseconds);  // reaps it if it ends within that time

}  // namespace wedjat::interposer
