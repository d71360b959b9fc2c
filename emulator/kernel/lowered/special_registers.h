// Special registers by name (PTX ISA 10): what `semcc emit registers` makes of
// semantics/special_registers.psem.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "special_register.h"

namespace wedjat::kernel {

struct SpecialName {
  std::string_view name;  ///< "%tid.x", "%laneid", WARP_SZ; "%tid" for the vector
  std::uint8_t bits;      ///< of a component; 0: a truth value
  bool is_vector;         ///< stands for four components, whose names end with .x to .w
  bool is_constant;       ///< the same in every launch: `constant`
  SpecialRegister which;  ///< of those that are neither
  std::uint64_t constant;
  std::uint16_t ptx;         ///< least `.version`: 708 for 7.8
  std::string_view targets;  ///< as Form::targets
};

/// Sorted by name; generated.
std::span<const SpecialName> special_names();

/// Null if PTX has no such register.
const SpecialName* special_register_named(std::string_view name);

/// Clocks and timers: they must be read again by every instruction that names them.
constexpr bool changes_while_running(SpecialRegister which) {
  return (special_periods[static_cast<std::size_t>(which)] & 4) != 0;
}

}  // namespace wedjat::kernel
