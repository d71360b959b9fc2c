// Lists of instructions that a profile makes for the emulator.
#pragma once
#include <span>
#include <string_view>

#include "emulator/kernel/forms/form.h"

namespace wedjat::kernel {

/// What a file of semantics/profiles lists as `instructions name = { … };`, in its order; empty if no list
/// has that name. Defined in generated code.
std::span<const Form* const> instructions(std::string_view name);

}  // namespace wedjat::kernel
