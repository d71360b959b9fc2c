// Kernels made of random numbers from the form table, whose results the manual leaves no choice about.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace wedjat::programs {

inline constexpr unsigned ctas = 3, threads = 64;
inline constexpr unsigned words = 80;  ///< of a thread, of 32 bits
inline constexpr unsigned private_words =
    16;  ///< of them, which it reads and writes as it runs; results follow

struct Options {
  std::uint32_t seed = 1;
  unsigned statements = 30;  ///< about, on the outermost level
  std::string suffix;        ///< of the names of the kernel and its functions, for several in one file
  bool races = false;        ///< threads of a CTA meet in shared memory: for who compares with itself only
  /// What the manual leaves open, for who has to notice it.
  bool unwritten = false;  ///< some registers have no value at first
  bool payloads = false;   ///< results show which NaN they are
  bool unrounded = false;  ///< sums and products that say how they round to nearest do not, and may be fused
  std::map<std::string, unsigned> weights;  ///< by opcode, instead of the usual one; 0: never
};

/// A kernel `k(.param .u64 p)` (with the suffix), launched with `ctas` CTAs of `threads` threads. Each thread
/// has `words` words from `p` on, which may hold anything. It always ends. Unless the options say otherwise,
/// no value is undefined, no access is out of bounds, no two threads conflict, and NaNs are all the same
/// where they can be seen. The same options, the same text.
std::string random_program(const Options& options);

}  // namespace wedjat::programs
