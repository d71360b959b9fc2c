// A process that runs kernels (runner.c): started, asked, and found dead.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/gpu/protocol.h"

namespace wedjat::gpu {

/// The process ended, or was ended since it took too long.
class Died : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Answer {
  int error = 0;
  bool last = false;  ///< the process ends
  std::string text;
  std::vector<std::byte> contents;
};

class Runner {
 public:
  /// Throws std::runtime_error if the program cannot be started.
  Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner();

  /// `job`: all bytes of it. Throws Died, and std::runtime_error if there is no driver, or the process does
  /// not even end when it is killed: then the GPU hangs.
  Answer ask(const std::vector<std::byte>& job, double seconds);

 private:
  void write(const std::vector<std::byte>& bytes);
  void read(void* to, std::size_t bytes, double end);
  [[noreturn]] void died();
  void give_up();

  pid_t process_ = -1;
  int socket_ = -1;
  bool ready_ = false;
};

}  // namespace wedjat::gpu
