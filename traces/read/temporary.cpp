#include "traces/read/temporary.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

// What the signal handler reads: it can take no lock.
struct Slot {
  std::atomic<char*> path{nullptr};
};
std::array<Slot, 256> slots;
std::atomic<pid_t> owner{0};

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

// Removing a folder takes more than a signal handler may do: another program does it. It fails where another
// thread still writes there.
void remove_in_handler(char* path) {
  int status = -1;
  for (int tries = 0; tries < 10 && status != 0; ++tries) {
    const pid_t child = ::_Fork();
    if (child == 0) {
      ::execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
      ::_exit(127);
    }
    if (child < 0 || ::waitpid(child, &status, 0) < 0) return;
  }
}

void remove_all_and_die(int signal) {
  if (::getpid() == owner.load())
    for (Slot& slot : slots)
      if (char* const path = slot.path.load()) remove_in_handler(path);
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void handle_signals() {
  for (const int signal : kSignals) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = remove_all_and_die;
    ::sigaction(signal, &ours, nullptr);
  }
}

int take_slot(const fs::path& path) {
  static std::once_flag once;
  std::call_once(once, handle_signals);
  owner.store(::getpid());
  char* const copy = ::strdup(path.c_str());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    char* free = nullptr;
    if (slots[i].path.compare_exchange_strong(free, copy)) return static_cast<int>(i);
  }
  std::free(copy);
  return -1;
}

void release_slot(int slot) {
  if (slot >= 0) std::free(slots[static_cast<std::size_t>(slot)].path.exchange(nullptr));
}

fs::path make_folder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) throw FormatError("$TMPDIR", "is no folder for temporary files: " + error.message());
  std::string pattern = (place / "wedjat-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw FormatError(pattern, std::string("cannot be created: ") + std::strerror(errno));
  return pattern;
}

// Nobody would know of the folder if a signal came between.
Temporary new_folder() {
  const SignalsHeld held;
  return Temporary(make_folder());
}

}  // namespace

SignalsHeld::SignalsHeld() {
  sigset_t all;
  ::sigemptyset(&all);
  for (const int signal : kSignals) ::sigaddset(&all, signal);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}
SignalsHeld::~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

Temporary::Temporary(fs::path path) : path_(std::move(path)), owner_(::getpid()), slot_(take_slot(path_)) {}

void Temporary::keep() {
  release_slot(slot_);
  slot_ = -1;
  owner_ = 0;
}

Temporary::~Temporary() {
  if (::getpid() != owner_) return;  // kept; or a child after fork(), which must not take it away
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  release_slot(slot_);
}

TemporaryFolder::TemporaryFolder() : temporary_(new_folder()) {}

}  // namespace wedjat::traces
