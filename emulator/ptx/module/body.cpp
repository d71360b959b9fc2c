#include "emulator/ptx/module/body.h"

#include <algorithm>

namespace wedjat::ptx {

const RegisterDeclaration& Body::declaration_of(std::uint32_t reg) const {
  const auto after =
      std::upper_bound(registers.begin(), registers.end(), reg,
                       [](std::uint32_t index, const RegisterDeclaration& d) { return index < d.first; });
  return after[-1];
}

std::string Body::register_name(std::uint32_t reg) const {
  const RegisterDeclaration& declaration = declaration_of(reg);
  const std::string name(declaration.name);
  return declaration.is_range ? name + std::to_string(reg - declaration.first) : name;
}

std::uint64_t Variable::size() const {
  std::uint64_t size = element_size();
  for (const std::uint64_t extent : extents) size *= extent;
  return size;
}

}  // namespace wedjat::ptx
