// Two launches with the same inputs: the same bits, the same numbers but for rounding, or others?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/bundle/bundle.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

enum class Equality : std::uint8_t {
  bits,
  rounding,   // other bits, of the same exact expressions: reassociated, contracted
  undecided,  // other bits, and something between could not be followed
  different
};
const char* name_of(Equality equality);

struct ComparedNumbers {  // the first place that is not the same
  std::uint64_t address = 0;
  std::string memory;  // of which allocation or variable
  std::uint64_t offset = 0;
  std::string a, b;  // values, or bytes
};

struct Comparison {
  Equality equality = Equality::bits;
  std::uint64_t bytes = 0;                   // that either launch writes
  std::uint64_t differing = 0;               // of these, in bits
  std::uint64_t rounded = 0, different = 0;  // numbers of other bits: by their exact values
  double largest = 0;                        // relative difference of the numbers that are rounded otherwise
  std::uint64_t decisions = 0;               // of both, that depend on rounded values
  std::vector<std::string> not_followed;     // instructions
  std::optional<ComparedNumbers> first;      // of `different`, or if there is none of `rounded`
};

// The launch with another program: what a text of PTX does to the same memory. device::Refused if it reads
// what the launch does not.
Bundle with_ptx(const Bundle& launch, const device::PtxSource& source, const std::string& kernel,
                const device::LaunchConfig& config, const ReplayOptions& options);

// `a` and `b` have the same inputs and memory of the same sizes; throws device::Refused if not, and what a
// launch throws. `seed` chooses the primes (README.md).
Comparison compare(const Bundle& a, const Bundle& b, const ReplayOptions& options, std::uint64_t seed);

}  // namespace wedjat::traces
