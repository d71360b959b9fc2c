// What words of generated text and of the semantics are made of.
#pragma once
#include <cctype>

namespace semcc::emit {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace semcc::emit
