#include "cli/options/interruption.h"

#include <csignal>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

namespace wedjat::cli {
namespace {

// What a second signal does: what the first would have done without us.
struct sigaction before_interrupt, before_terminate;

void interrupt_once(int signal) {
  device::interrupt(signal);
  sigaction(signal, signal == SIGINT ? &before_interrupt : &before_terminate, nullptr);
}

}  // namespace

void end_launches_on_signals() {
  struct sigaction action {};
  action.sa_handler = interrupt_once;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
}

void check_interruption() {
  if (device::interrupted() != 0) throw device::Interrupted("interrupted between two launches");
}

int interrupted_exit_code() { return 128 + device::interrupted(); }

}  // namespace wedjat::cli
