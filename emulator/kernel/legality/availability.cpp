#include "emulator/kernel/legality/availability.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/kernel/forms/instruction_lists.h"

namespace wedjat::kernel {
namespace {

using ptx::Architecture;
using ptx::architecture;

bool has(Architecture module, Architecture wanted) {
  if (wanted.flavour.empty()) return module.number >= wanted.number;
  if (wanted.flavour == "a") return module.flavour == "a" && module.number == wanted.number;
  // A family: same major number, not older, and the module itself asks for the family or the exact flavour.
  return !module.flavour.empty() && module.number / 10 == wanted.number / 10 &&
         module.number >= wanted.number;
}

}  // namespace

bool target_has(std::span<const std::string_view> targets, std::string_view wanted) {
  for (std::string_view target : targets) {
    const Architecture module = architecture(target);
    if (module.number != 0 && has(module, architecture(wanted))) return true;
  }
  return false;
}

std::string unavailable(unsigned ptx, std::string_view targets, const ptx::Module& module) {
  if (module.version.number() < ptx) {
    return fmt::format("needs .version {}.{}, the module says {}.{}", ptx / 100, ptx % 100,
                       module.version.major, module.version.minor);
  }
  if (targets.empty()) return {};
  for (std::string_view rest = targets; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (target_has(module.targets, rest.substr(0, end))) return {};
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fmt::format("needs .target {}, the module says {}", targets,
                     module.targets.empty() ? std::string_view("none") : module.targets.front());
}

std::string unavailable(const Form& form, const ptx::Module& module) {
  static const std::span superseded = instructions("superseded");
  if (module.version.number() >= 604 && std::ranges::find(superseded, &form) != superseded.end() &&
      target_has(module.targets, "sm_70"))
    return "is not for .target sm_70 and newer since .version 6.4: its form with .sync is";
  return unavailable(form.ptx, form.targets, module);
}

}  // namespace wedjat::kernel
