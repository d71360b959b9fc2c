// Files and folders that go away with the program, also when a signal ends it.
#pragma once

#include <csignal>
#include <filesystem>

namespace wedjat::traces {

// While one lives, this thread takes no signal that would end the program: something is made that has to be
// taken away then.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

// What lies at this path is removed at the end of its life, and by SIGINT, SIGTERM, SIGHUP, SIGQUIT and
// SIGPIPE where nobody else handles them.
class Temporary {
 public:
  explicit Temporary(std::filesystem::path path);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void keep();  // it has become something else's

 private:
  std::filesystem::path path_;
  int owner_ = 0;  // the process that made it
  int slot_ = -1;
};

// Before fork(): from here on a process knows what those it forks have made and not removed. None may be
// there yet.
void share_temporaries();
// They have ended, however: what they left is removed.
void remove_shared_temporaries();

// A new folder among the system's temporary files.
class TemporaryFolder {
 public:
  TemporaryFolder();
  const std::filesystem::path& path() const { return temporary_.path(); }

 private:
  Temporary temporary_;
};

}  // namespace wedjat::traces
