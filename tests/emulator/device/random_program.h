// Kernels made of random numbers: divergence, loops, barriers, calls, predicates, memory of all kinds.
#pragma once
#include <cstdint>
#include <string>

namespace wedjat::test {

/// A kernel `k(.param .u64 p)` for blocks of 64 threads: each thread reads and writes 16 words of its own
/// from `p` on, and exchanges others with its CTA. It always ends, and no two threads race.
std::string random_program(std::uint32_t seed);

}  // namespace wedjat::test
