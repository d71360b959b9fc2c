// Warps of operand values that find errors.
#pragma once
#include "semcc/eval/eval.h"
#include "semcc/eval/patterns.h"

namespace wedjat::test {

using semcc::eval::Random;

// Where the test's memory lies, in each space's own addresses.
inline constexpr std::uint64_t device_base = 0x200000, memory_bytes = 96 * 1024;
bool on_device(semcc::ir::Space space);
std::uint64_t base_of(semcc::ir::Space space);

// The space of the form's memory statements; None if it has none.
semcc::ir::Space memory_space(const semcc::ir::Form& form);

// All operands filled; addresses are aligned and lie in the test's memory, stores of two lanes never overlap.
semcc::eval::Frame any_frame(const semcc::ir::Form& form, std::uint32_t active, Random& random);

}  // namespace wedjat::test
