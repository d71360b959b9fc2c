// Barriers at which nothing else happens than that all threads of a CTA wait for each other.
#pragma once
#include <cstdint>
#include <optional>

#include "emulator/kernel/lowered/kernel.h"

namespace wedjat::exec {

/// The number of the barrier, if a step is that and nothing else, whatever its registers hold. What it does
/// its executor is asked.
std::optional<std::uint32_t> plain_barrier(const kernel::Function& function, const kernel::Step& step);

}  // namespace wedjat::exec
