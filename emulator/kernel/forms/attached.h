// Numbers that the spelling of an operand gives: `-a`, `a.b3`, `d.h10` (PTX ISA 9.7.18, video instructions).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// The number a written selector stands for (see Attach); nothing if the word is none of this kind. An empty
/// word: nothing was written.
std::optional<std::uint32_t> selected(const AttachSpec& spec, std::string_view word);

}  // namespace wedjat::kernel
