// Special registers by name (PTX ISA 10).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/kernel/lowered/row_fill.h"

namespace wedjat::kernel {

/// Spelled with its component: "%tid.x". Nothing if PTX has no such register.
std::optional<SpecialRegister> special_register_named(std::string_view name);

/// The value of those that are the same in every launch: WARP_SZ, the shared memory that the system keeps.
std::optional<std::uint32_t> special_constant_named(std::string_view name);

/// Whether the name stands for a vector of four: `%tid`, not `%tid.x`.
bool is_special_vector(std::string_view name);

/// Whether the register holds a truth value.
bool is_special_predicate(std::string_view name);

/// Clocks and timers: they must be read again by every instruction that names them.
bool changes_while_running(SpecialRegister special);

}  // namespace wedjat::kernel
