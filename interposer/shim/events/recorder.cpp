#include "interposer/shim/events/recorder.h"

#include <lttng/ust-fork.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "entries.h"
#include "interposer/shim/events/export.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/open_calls.h"
#include "interposer/shim/events/process_end.h"
#include "interposer/shim/events/readers.h"
#include "traces/format/error.h"
#include "traces/format/names.h"

namespace wedjat::interposer {
namespace detail {
std::atomic<bool> active{false};
traces::StatePage* page = nullptr;
}  // namespace detail
namespace {

// At the end of a process that takes no time for it: what is not told by then shows as missing.
constexpr std::chrono::seconds kPatience{1};

std::atomic<bool> announced{false};
std::atomic<pid_t> announced_as{0};
traces::BlobWriter* writer = nullptr;
traces::Staging* staging = nullptr;
std::string* trace_folder = nullptr;
sigset_t signals_before_fork;

traces::BlobWriter* make_writer() {
  return new traces::BlobWriter(std::filesystem::path(*trace_folder) / traces::kBlobsFolder,
                                std::to_string(::getpid()), staging);
}

// Another user, or another view of /proc, may not reach it: blobs are written by this process then.
traces::Staging* find_staging() {
  const char* path = std::getenv(traces::kStagingVariable);
  if (path == nullptr || *path == '\0') return nullptr;
  try {
    return new traces::Staging(path);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

std::string executable() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "";
}

void announce() {
  detail::page->processes_started.fetch_add(1);
  announced_as.store(::getpid());
  wj_emit_process(next_sequence(), traces::kFormatVersion, ::getpid(), ::getppid(), executable().c_str(),
                  kCudaVersion);
}

void tell_end() {
  wj_emit_process_end(next_sequence(), ::getpid());
  detail::page->processes_ended.fetch_add(1);
}

// As a destructor it runs after all exit handlers of the application, which may still call the driver. It
// must run before the destructors of the tracepoint providers in this library, that is: this file must be
// linked last.
__attribute__((destructor)) void stop_recording() {
  if (!detail::active.load()) return;
  if (announced.load()) {
    before_process_end();
    wait_for_all_readers();
    tell_end();
    writer->take_over();
  }
  detail::active.store(false);
}

// _exit runs no exit handlers: children of fork end so, Python's among them. It may be called in a signal
// handler: no locks here. A child of vfork lives in its parent's memory, and the end of that is not meant.
[[noreturn]] void end_at_once(int status) {
  if (detail::active.load() && announced.load() && announced_as.load() == ::getpid() &&
      detail::active.exchange(false) && readers_end_within(kPatience))
    tell_end();
  ::syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

void before_fork() {
  readers_before_fork();
  lttng_ust_before_fork(&signals_before_fork);
}
void after_fork_parent() {
  lttng_ust_after_fork_parent(&signals_before_fork);
  readers_after_fork(false);
}
void after_fork_child() {
  lttng_ust_after_fork_child(&signals_before_fork);
  readers_after_fork(true);
  open_calls_after_fork();
  // A process of its own: it announces itself at its first call and packs its own blobs.
  announced.store(false);
  if (detail::active.load()) writer = make_writer();
}

__attribute__((constructor)) void start_recording() {
  const char* folder = std::getenv("WEDJAT_TRACE");
  if (folder == nullptr || *folder == '\0') return;
  try {
    trace_folder = new std::string(folder);
    detail::page = &traces::map_state(folder, false);
    staging = find_staging();
    writer = make_writer();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat: this process is not recorded: %s\n", error.what());
    return;
  }
  detail::active.store(true, std::memory_order_release);
  std::at_quick_exit(stop_recording);
  ::pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

}  // namespace

bool detail::first_call() {
  if (!announced.load(std::memory_order_acquire) && !announced.exchange(true)) announce();
  return true;
}

traces::BlobWriter& blobs() { return *writer; }

void trouble(std::uint64_t call, const std::string& text) {
  std::fprintf(stderr, "wedjat: %s\n", text.c_str());
  traces::add_trouble(*detail::page, text);
  if (detail::active.load()) wj_emit_trouble(next_sequence(), call, text.c_str());
}

}  // namespace wedjat::interposer

extern "C" WEDJAT_EXPORT void _exit(int status) { wedjat::interposer::end_at_once(status); }
extern "C" WEDJAT_EXPORT void _Exit(int status) noexcept { wedjat::interposer::end_at_once(status); }
