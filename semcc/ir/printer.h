// The checked form as text: for people and golden tests.
#pragma once
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::ir {

// "setp.eq.and.s32 p[|q], a, b, {!}c" followed by operands, effects and the body, one statement a line.
// Expressions used more than once are named t1, t2 … before their first use.
std::string print(const Form& form);

// The operand patterns a form may be written with, one for each choice of optional operands: "d.b32|d.pred,
// [g], {s.b32*2}, #imm". Every register is shown by its bits (8-bit values live in 16-bit registers);
// addresses by their space: gen g s sc l c p fp.
std::vector<std::string> patterns(const Form& form);

// One line for each pattern: text, pattern, "since 8.0 sm_90" and the words of hints_text(), separated by
// tabs.
std::string summary(const Form& form);

// "8.0 sm_90 or sm_100a"; empty: always.
std::string since_text(const Since& since);

// Groups separated by '|', words by ' '.
std::string hints_text(const Form& form);

// Names of the effects that are set: {"reads_memory", "ordered"}.
std::vector<std::string> effect_names(const Effects& effects);

const char* level_name(Level level);

// The operands as a form declares them: "p[|q], a, b, {!}c".
std::string operand_list(const Form& form);

// "in f32", "out vector(u32, 4) sink", "in address(global)".
std::string operand_text(const Operand& operand);

}  // namespace semcc::ir
