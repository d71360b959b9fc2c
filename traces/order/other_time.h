// A replay whose clocks and timers show another time than they do here: no two runs on the hardware agree on
// it.
#pragma once

#include <vector>

#include "traces/order/causes.h"

namespace wedjat::hooks {
class Hooks;
}

namespace wedjat::traces {

/// Instructions that read a clock or timer (PTX ISA 10.23, 10.24, 10.28), once each. `hooks` watch one
/// replay, and must not be used after `readers` is gone.
void let_time_differ(hooks::Hooks& hooks, std::vector<Cause>& readers);

}  // namespace wedjat::traces
