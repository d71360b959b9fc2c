// In which order the words of a mnemonic may stand. Types have a place (form_key.h); other words come in any
// order, but for those that are part of the instruction's name: wmma.load.a, mul.lo, fence.proxy.
#pragma once

#include <span>
#include <string_view>

namespace wedjat::kernel {

/// Whether words of the name, and none else, follow the opcode, in their order. As ptxas 13.0 has it.
bool name_stands_first(std::string_view opcode, std::span<const std::string_view> words);

}  // namespace wedjat::kernel
