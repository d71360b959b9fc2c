#include "emulator/exec/cta/report.h"

#include <fmt/format.h>

#include "emulator/exec/cta/special_registers.h"

namespace wedjat::exec {

std::string describe_place(const kernel::Kernel& kernel, std::uint32_t id) {
  const kernel::Origin& origin = kernel.origins.at(id);
  const kernel::Function& function = kernel.functions.at(origin.function);
  std::string text =
      fmt::format("{}:{} '{}' in {}", function.ptx_file, origin.ptx_line, origin.text, function.name);
  if (origin.source_line != 0)
    text += fmt::format(" ({}:{})", kernel.source_files.at(origin.source_file), origin.source_line);
  return text;
}

std::string describe_thread(const CtaState& cta, std::uint32_t warp, unsigned lane) {
  using R = kernel::SpecialRegister;
  auto tid = [&](R which) { return special_register(which, cta, warp, lane); };
  return fmt::format("CTA ({},{},{}) thread ({},{},{})", cta.ctaid.x, cta.ctaid.y, cta.ctaid.z, tid(R::tid_x),
                     tid(R::tid_y), tid(R::tid_z));
}

}  // namespace wedjat::exec
