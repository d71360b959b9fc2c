// Addresses where no allocation can lie.
#pragma once
#include "emulator/memory/windows.h"

namespace wedjat::memory {

/// The window that the range overlaps, or null.
const Window* reserved(std::uint64_t address, std::uint64_t size);

}  // namespace wedjat::memory
