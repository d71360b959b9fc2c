#include "traces/read/temporary.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "traces/format/error.h"

namespace wedjat::traces {
namespace fs = std::filesystem;
namespace {

// What the signal handler reads, and the process that waits for this one: neither can take a lock.
struct Slot {
  enum class State : std::uint8_t { free, filling, there };
  std::atomic<State> state{State::free};
  char path[PATH_MAX]{};
};
using Slots = std::array<Slot, 256>;
Slots slots_of_this_process;
Slots* slots = &slots_of_this_process;
std::atomic<pid_t> owner{0};

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

// Removing a folder takes more than a signal handler may do: another program does it. It fails where another
// thread still writes there.
void remove_in_handler(const char* path) {
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
    for (const Slot& slot : *slots)
      if (slot.state.load() == Slot::State::there) remove_in_handler(slot.path);
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
  if (path.native().size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots->size(); ++i) {
    Slot& slot = (*slots)[i];
    Slot::State free = Slot::State::free;
    if (!slot.state.compare_exchange_strong(free, Slot::State::filling)) continue;
    slot.path[path.native().copy(slot.path, PATH_MAX - 1)] = 0;
    slot.state.store(Slot::State::there);
    return static_cast<int>(i);
  }
  return -1;
}

void release_slot(int slot) {
  if (slot >= 0) (*slots)[static_cast<std::size_t>(slot)].state.store(Slot::State::free);
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

void share_temporaries() {
  void* const memory =
      ::mmap(nullptr, sizeof(Slots), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) slots = new (memory) Slots;
}

void remove_shared_temporaries() {
  for (Slot& slot : *slots) {
    if (slot.state.exchange(Slot::State::free) != Slot::State::there) continue;
    std::error_code ignored;
    fs::remove_all(slot.path, ignored);
  }
}

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
