// Instructions and what may stand between them in a body (PTX ISA 4.3, 10.3 to 10.5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/module/operand.h"
#include "emulator/ptx/text/error.h"

namespace wedjat::ptx {

/// One distinct spelling of opcode and modifiers in a body, so that a table is asked once a spelling and not
/// once an instruction. Words have no dots: "ld", {"global", "v4", "L2::cache_hint", "u32"}, in written
/// order.
struct Mnemonic {
  std::string text;  ///< "ld.global.v4.L2::cache_hint.u32"
  std::string_view opcode;
  std::vector<std::string_view> modifiers;
};

struct Instruction {
  std::uint32_t mnemonic = 0;       ///< index into Body::mnemonics
  std::uint32_t first_operand = 0;  ///< into Body::operands
  std::uint32_t operand_count = 0;
  std::uint32_t guard = kNone;  ///< the predicate register of `@p`, else kNone
  bool guard_negated = false;   ///< `@!p`
  Location where;
  std::uint32_t loc = kNone;  ///< the `.loc` in force: index into Body::locs
};

/// A label stands before instruction number `position` (or at the end: position == instructions.size()).
struct Label {
  std::string_view name;
  std::uint32_t position = 0;
  Location where;
};

/// `.loc file line column[, function_name label[+offset], inlined_at file line column]`
struct Loc {
  std::uint32_t file = 0, line = 0, column = 0;
  std::string_view function_name;  ///< a label of .section .debug_str; empty if not inlined
  std::uint64_t function_name_offset = 0;
  std::uint32_t inlined_file = 0, inlined_line = 0, inlined_column = 0;
};

struct BranchTargets {
  std::string_view name;
  std::vector<std::uint32_t> labels;  ///< into Body::labels
  Location where;
};

struct CallTargets {
  std::string_view name;
  std::vector<std::uint32_t> functions;  ///< into Module::functions
  Location where;
};

/// A `.pragma` string that stands before instruction number `position`.
struct Pragma {
  std::string_view text;
  std::uint32_t position = 0;
};

}  // namespace wedjat::ptx
