// In which order the words of a mnemonic may stand. Types have a place (form_key.h); other words come in any
// order, but for those that are part of the instruction's name: wmma.load.a, mul.lo, fence.proxy.
#pragma once

#include <span>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// Whether those of `words` that must stand first for this form do so, in their order: `leading` in
/// semantics/profiles.
bool name_stands_first(const Form& form, std::span<const std::string_view> words);

}  // namespace wedjat::kernel
