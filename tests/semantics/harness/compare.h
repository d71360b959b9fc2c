// Executor against judge, for one form.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "emulator/kernel/forms/form.h"
#include "tests/semantics/harness/inputs.h"
#include "tests/semantics/harness/machine.h"

namespace wedjat::test {

// The row of the generated form table that a checked form became; null if there is none.
const kernel::Form* row_of(const semcc::ir::Form& form);

// The first difference, in words, or nothing. Inactive lanes must be as before, aliased rows excepted.
std::optional<std::string> difference(const semcc::ir::Form& form, const semcc::eval::Frame& before,
                                      const semcc::eval::Frame& expected, const semcc::eval::Frame& got,
                                      bool alias);

struct Verdict {
  unsigned compared = 0, refused = 0;      // warps; refused: a requirement did not hold for these inputs
  std::optional<std::string> wrong;        // the first difference with its inputs
  std::optional<std::string> unsupported;  // why the judge has no answer
};

// `cases` warps: masks in turn full, one lane, every other lane, random, none; half of them with `d` in a
// source's row.
Verdict compare(const semcc::ir::Program& program, const semcc::ir::Form& form, kernel::Executor full,
                kernel::Executor masked, unsigned cases, std::uint64_t seed);

}  // namespace wedjat::test
