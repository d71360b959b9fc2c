// The parsed body of one function: names are resolved, scopes are gone.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/module/function.h"
#include "emulator/ptx/module/instruction.h"
#include "emulator/ptx/module/operand.h"
#include "emulator/ptx/module/variable.h"

namespace wedjat::ptx {

/// One `.reg` name or one range of them: `%r<100>` declares registers first to first+99, named %r0 to %r99.
/// A name declared again in an inner scope is another declaration with other indices.
struct RegisterDeclaration {
  std::string_view name;  ///< of a range: what the number is appended to
  Type type = Type::b32;
  std::uint8_t vector_width = 1;
  bool is_range = false;
  std::uint32_t first = 0;
  std::uint32_t count = 1;
  Location where;
};

/// Most registers one body may declare. Far above what compilers write, low enough that a row for each is
/// memory a machine has.
inline constexpr std::uint32_t kMaxRegisters = 1u << 20;

/// Everything is in source order; Label, Pragma and Loc say between which instructions they stand.
struct Body {
  std::vector<RegisterDeclaration> registers;  ///< ascending by first
  std::uint32_t register_count = 0;            ///< indices are below this
  std::vector<std::string_view> special_registers;
  std::vector<Variable> variables;  ///< .local .shared .param .const .global declared inside
  std::vector<Mnemonic> mnemonics;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<std::string_view> selectors;
  std::vector<Label> labels;
  std::vector<Loc> locs;
  std::vector<BranchTargets> branch_targets;
  std::vector<CallTargets> call_targets;
  std::vector<Prototype> prototypes;
  std::vector<Pragma> pragmas;
  /// Registers of the function's results and parameters declared in .reg; kNone for those in .param.
  std::vector<std::uint32_t> return_registers, parameter_registers;
  std::deque<std::string> generated_names;  ///< names and spellings that do not stand in the text as such

  /// The operands as written. `call` always has four: results (list), target, arguments (list), and the
  /// prototype or call_targets, or none; absent lists are empty.
  std::span<const Operand> operands_of(const Instruction& instruction) const {
    return {operands.data() + instruction.first_operand, instruction.operand_count};
  }
  /// The parts of a compound operand.
  std::span<const Operand> parts_of(const Operand& compound) const {
    return {operands.data() + compound.index, compound.count};
  }
  const RegisterDeclaration& declaration_of(std::uint32_t reg) const;
  std::string register_name(std::uint32_t reg) const;
};

}  // namespace wedjat::ptx
