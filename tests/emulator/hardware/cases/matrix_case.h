// Matrix instructions as something to execute: what a warp or a warpgroup computes together
// (matrix_forms.txt).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/kernel.h"

namespace wedjat::hardware_truth {

// A form: the mnemonic, then words after blanks that say what the mnemonic does not: `rows` A from registers,
// `ldm` with a stride, `select1` the sparsity selector, `t01` the order of A and B, `minus` negated factors.
// Registers start from pools of 4096 values of the operand's format, descriptors and addresses follow from
// the CTA. The output holds every destination register, slot after slot, then memory that was written. Throws
// InputError.
Case make_matrix_case(const std::string& form, std::string entry);

// Their forms in the order of the list, alternatives expanded.
std::vector<std::string> read_matrix_forms(const std::filesystem::path& file);

// What a truth file keeps of an output: a hash for each warp.
std::vector<std::byte> warp_hashes(const Case& one, std::span<const std::byte> output);

}  // namespace wedjat::hardware_truth
