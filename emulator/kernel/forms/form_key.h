// The canonical look-up key of an instruction: two spellings that ptxas takes for the same instruction have
// the same key.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Words ptxas 13 takes on nearly every instruction and ignores.
bool is_ignored_word(std::string_view word);

/// `words` as written, without dots; ignored ones must be gone already. See form.h for the order in a key.
std::string form_key(std::string_view opcode, std::span<const std::string_view> words);

}  // namespace wedjat::kernel
