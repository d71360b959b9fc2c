// Instructions as text with immediate operands: `semcc eval "setp.lt.s32 1, 2"` and the examples of the
// semantics files. Values: decimal, 0x…, 0f… (f32 pattern), 0d… (f64 pattern), decimal floats for f32 and
// f64; `{a, b}` for vectors; `!p` for a negated predicate. Operands are the inputs in the form's order; the
// results are the outputs in theirs. Every lane of a warp gets the same values.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "semcc/eval/eval.h"

namespace semcc::eval {

struct Instruction {
  const ir::Form* form;
  Frame frame;
};

// The form of that text whose operands fit, and the number of its results if it is given. Throws
// std::invalid_argument if there is none.
Instruction parse_instruction(const ir::Program& program, const std::string& text,
                              std::optional<std::size_t> results = std::nullopt);

// The outputs of the lowest active lane, one text for each row: `0x80000000 (-2147483648)`, unspecified bits
// apart.
std::vector<std::string> results(const ir::Form& form, const Frame& after);

// What is wrong with an example, or nothing.
std::optional<std::string> check_example(const ir::Program& program, const ir::Example& example);

// Prints the results; the exit status.
int eval_command(const ir::Program& program, const std::string& instruction, std::ostream& out);

}  // namespace semcc::eval
