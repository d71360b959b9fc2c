// Machine code that a compiler in the program made, and the PTX that it made it of: the library of
// `wedjat live --keep-ptx` tells (interposer/shim/calls/made_of.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interposer/images/linked.h"

namespace wedjat::live {

// What went into this machine code: PTX, fatbins, objects, archives. Nothing where nobody told.
std::vector<interposer::LinkedPart> made_of(std::span<const std::byte> code);

}  // namespace wedjat::live
