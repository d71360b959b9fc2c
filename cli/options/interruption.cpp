#include "cli/options/interruption.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

namespace wedjat::cli {
namespace {

// What a second signal does: what the first would have done without us.
struct sigaction before_interrupt, before_terminate;

bool patient = false;

// `timeout` and shells send one to the process and to its group: within this time it is the same one.
constexpr std::int64_t same_signal_ns = 300'000'000;
std::atomic<std::int64_t> first_ns = 0;

// Launches end at once. What waits for somebody else might never: a pipe, a tool that does not return.
constexpr unsigned patience_s = 5;

void do_as_before(int signal) {
  sigaction(signal, signal == SIGINT ? &before_interrupt : &before_terminate, nullptr);
  raise(signal);
}

void end_impatiently(int) {
  constexpr std::string_view text =
      "wedjat: error: interrupted, and did not come to an end within 5 seconds\n";
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) {
  }  // whoever reads it may be gone
  do_as_before(device::interrupted());
}

void interrupt_once(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  std::int64_t first = 0;
  if (first_ns.compare_exchange_strong(first, now_ns)) {
    device::interrupt(signal);
    if (!patient) alarm(patience_s);
    return;
  }
  if (now_ns - first < same_signal_ns) return;
  do_as_before(signal);
}

}  // namespace

void end_launches_on_signals(Then then) {
  patient = then == Then::keep;
  struct sigaction action {};
  action.sa_handler = interrupt_once;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
  action.sa_handler = end_impatiently;
  sigaction(SIGALRM, &action, nullptr);
}

void check_interruption() {
  if (device::interrupted() != 0) throw device::Interrupted("interrupted between two launches");
}

int interrupted_exit_code() { return 128 + device::interrupted(); }

}  // namespace wedjat::cli
