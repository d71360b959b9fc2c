#include "emulator/kernel/lowered/special_registers.h"

#include <algorithm>

namespace wedjat::kernel {

const SpecialName* special_register_named(std::string_view name) {
  const std::span<const SpecialName> names = special_names();
  const auto found = std::ranges::lower_bound(names, name, {}, &SpecialName::name);
  return found != names.end() && found->name == name ? &*found : nullptr;
}

}  // namespace wedjat::kernel
