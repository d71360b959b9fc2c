// One value as text.
#pragma once
#include <string>

#include "semcc/eval/word.h"
#include "semcc/ir/type.h"

namespace semcc::eval {

// The bit pattern of a literal in a register of that type. Throws std::invalid_argument.
mpz_class parse_pattern(const std::string& text, const ir::Type& type);
std::string print_word(const Word& word, const ir::Type& type);

}  // namespace semcc::eval
