// Operands of matrix instructions, from the mnemonic alone (PTX ISA 9.7.14, 9.7.15), and values to try them
// with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulator/hardware/forms/random.h"

namespace wedjat::hardware_truth {

enum class Format : std::uint8_t {
  bits,
  e4m3,
  e5m2,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  metadata,       // pairs of places in fours, ascending
  tf32_metadata,  // one place in two
  row_addresses,  // of an address: every lane its own
};

enum class Role : std::uint8_t { in, out, inout, metadata, address, stride, descriptor, scale, literal };

struct MatrixOperand {
  std::string name;  // of a literal: its text
  Role role = Role::in;
  Format format = Format::bits;
  unsigned bits = 32;  // of a register
  unsigned count = 0;  // registers; of a stride: its value; of a descriptor: the lines of the matrix
  unsigned depth = 0;  // of a descriptor: bytes of a line along k
  bool braces = true;
  bool across = false;  // of a descriptor: along m or n instead of k
  std::string space = {};
};

struct MatrixForm {
  std::string mnemonic;
  std::vector<MatrixOperand> operands;
  bool uses_memory = false, writes_memory = false;
  Format memory_format = Format::bits;
};

MatrixForm parse_matrix_form(const std::string& form);  // throws InputError
unsigned result_bits(const std::string& form);          // of a destination register

// A register of packed values; `mood` decides how their exponents spread.
std::uint64_t any_register(Format format, Random& random, unsigned mood);
// For the CTA's mode of swizzling, inside 48 KiB.
std::uint64_t any_descriptor(const MatrixOperand& operand, unsigned cta, Random& random);

}  // namespace wedjat::hardware_truth
