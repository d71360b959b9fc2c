// What a cubin tells of how it was assembled.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "traces/read/event.h"

namespace wedjat::traces {

// The options ptxas was given, e.g. "-O 0 -arch sm_90 -m 64", from the note .note.nv.tkinfo (CUDA 13 and
// later); empty where there is none. Damaged ELF files have none.
std::string assembler_options(std::span<const std::byte> elf);

// Of the functions that it holds code of; damaged ELF files have none.
std::vector<std::string> kernel_names(std::span<const std::byte> elf);

// What an assembler makes of instructions that carry no rounding modifier (seen with ptxas 13.0).
enum class Rewrites : std::uint8_t {
  nothing,    // -O 0, -g
  constants,  // -fmad false: quotients by constants become products
  all         // products and sums are fused, too
};

// With these options, a cubin's or those beside PTX in a fatbin.
Rewrites rewrites(const std::string& assembler_options);

}  // namespace wedjat::traces
