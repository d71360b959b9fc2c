// Machine code that a compiler in the program made, and the PTX that it made it of: the library of
// `wedjat live --keep-ptx` tells (interposer/shim/calls/made_of.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "interposer/images/linked.h"

namespace wedjat::live {

struct MadeOf {
  std::vector<interposer::LinkedPart> parts;  // PTX, fatbins, objects, archives
  int most_registers = 0;                     // of a thread; 0: the compiler was told no limit
};

// What went into this machine code. Nothing where nobody told.
MadeOf made_of(std::span<const std::byte> code);

}  // namespace wedjat::live
