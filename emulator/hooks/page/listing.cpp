#include "emulator/hooks/page/listing.h"

#include <fmt/format.h>

#include <filesystem>

namespace wedjat::hooks {

Listing list(const wedjat_kernel& kernel) {
  Listing out{kernel.name, kernel.ptx_file, {}};
  out.lines.reserve(kernel.instruction_count);
  for (std::uint32_t i = 0; i < kernel.instruction_count; ++i) {
    const wedjat_instruction& from = kernel.instructions[i];
    const std::string file =
        from.source_line == 0 ? "" : std::filesystem::path(from.source_file).filename().string();
    out.lines.push_back(
        {from.ptx_line, from.block, from.text, from.source_line == 0 ? "" : from.source_file,
         from.source_line,
         file.empty() ? fmt::format("ptx:{}", from.ptx_line) : fmt::format("{}:{}", file, from.source_line)});
  }
  return out;
}

}  // namespace wedjat::hooks
