// What the devices are, told once a process.
#pragma once

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void driver_ready(const Call& call);  // cuInit succeeded

// False if the host may not touch managed memory while a kernel runs.
bool managed_memory_is_concurrent();

}  // namespace wedjat::interposer
