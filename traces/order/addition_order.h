// In which order numbers must be added for the sum to be the hardware's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wedjat::traces {

// Raw bits: the lower half holds an f32.
struct Addend {
  std::uint64_t bits = 0;
  std::uint64_t launch = 0,
                thread = 0;  // launches, and additions of one thread in a launch, keep their order
};

// What atomic additions in global memory do with it (PTX ISA 9.7.13.15): f32 without subnormals.
std::uint64_t sum_f32(std::uint64_t a, std::uint64_t b);
std::uint64_t sum_f64(std::uint64_t a, std::uint64_t b);
using SumOf = std::uint64_t (*)(std::uint64_t, std::uint64_t);

// Indices into `addends`, or nothing if no order was found: of up to 12 numbers every order is tried, of more
// as many as a few seconds allow, always the same ones.
std::optional<std::vector<std::uint32_t>> find_order(SumOf sum, std::uint64_t start,
                                                     std::span<const Addend> addends, std::uint64_t wanted);

}  // namespace wedjat::traces
