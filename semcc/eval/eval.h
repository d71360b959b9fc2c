// The judge: what one warp instruction does, computed exactly. Throws Unsupported for what it has no model of
// (barriers, control flow).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "semcc/eval/word.h"
#include "semcc/ir/form.h"

namespace semcc::eval {

inline constexpr unsigned lanes = 32;

struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Row = std::array<Word, lanes>;

// Bytes by space and address; a byte nobody wrote reads as 0.
using Memory = std::map<std::pair<ir::Space, std::uint64_t>, std::uint8_t>;

// All state an instruction can see. An operand is rows of bit patterns, one for each element (predicates: 0
// or 1).
struct Frame {
  std::vector<std::vector<Row>> operands;
  std::uint32_t active = 0xffffffff;
  std::uint32_t carry = 0;
  std::uint32_t unspecified_carry = 0;
  std::map<std::string, std::uint64_t> specials;
  Memory memory;
};

struct Failure {
  std::uint32_t lanes = 0;
  std::string why;
};

struct Outcome {
  Frame after;                    // inactive lanes as before
  std::vector<Failure> failures;  // requirements that do not hold: then `after` means nothing
};

Frame empty_frame(const ir::Form& form);  // every operand 0
Outcome evaluate(const ir::Program& program, const ir::Form& form, const Frame& before);

}  // namespace semcc::eval
