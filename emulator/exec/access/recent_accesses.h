// What steps of a kernel accessed last, from one launch to the next: short launches would spend much of their
// time finding that out anew.
#pragma once
#include <vector>

#include "emulator/exec/access/memory_port.h"
#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::exec {

/// MemoryPort::cache for a launch that nobody watches; of this host thread. What it holds is true as long as
/// nothing is freed (DeviceMemory::generation), whichever kernel found it.
std::vector<Recent> recall_accesses(const kernel::Kernel& kernel, std::uint64_t generation);
/// The launch has come to its end.
void remember_accesses(const kernel::Kernel& kernel, MemoryPort&& port);

}  // namespace wedjat::exec
