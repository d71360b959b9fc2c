#include "cli/options/run_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "emulator/ptx/module/module.h"

namespace wedjat::cli {

std::uint64_t RunObjects::make(const TexelArgument& argument) {
  const std::uint64_t handle = next_;
  next_ += (argument.texels.size() + 0x3fffff) / 0x200000 * 0x200000;
  const auto array = make_texels(device_, argument, handle);
  if (argument.is_surface)
    results_.push_back({argument.write_back, array->address(), argument.texels.size()});
  return handle;
}

std::map<std::string, std::uint64_t> RunObjects::bind(const std::string& file, const std::string& ptx,
                                                      const std::vector<std::string>& bindings) {
  std::map<std::string, std::uint64_t> placements;
  const auto module = ptx::Module::parse(file, ptx);
  for (const ptx::Variable& variable : module->variables)
    if (variable.type == ptx::Type::texref || variable.type == ptx::Type::surfref)
      unbound_.emplace_back(variable.name);
  for (const std::string& text : bindings) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals),
                      object = equals == text.npos ? "" : text.substr(equals + 1);
    if (!is_texel_argument(object))
      throw std::invalid_argument(fmt::format(
          "--bind {}: expected NAME=texture:FILE:FORMAT:EXTENTS, or surface: or surface-out:", text));
    const auto known = std::ranges::find(unbound_, name);
    if (known == unbound_.end())
      throw std::invalid_argument(fmt::format("--bind {}: {} declares no .texref or .surfref of this name{}",
                                              text, file, placements.contains(name) ? " twice" : ""));
    placements[name] = make(parse_texel_argument(object));
    unbound_.erase(known);
  }
  return placements;
}

}  // namespace wedjat::cli
