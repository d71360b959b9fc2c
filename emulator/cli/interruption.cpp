#include "emulator/cli/interruption.h"

#include <csignal>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

namespace wedjat::cli {

void end_launches_on_signals() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    action.sa_handler = [](int number) { device::interrupt(number); };
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

void check_interruption() {
  if (device::interrupted() != 0) throw device::Interrupted("interrupted between two launches");
}

int interrupted_exit_code() { return 128 + device::interrupted(); }

}  // namespace wedjat::cli
