// What nvcc 13.0 makes of the programs of benchmarks/programs is lowered whole, with the generated form
// table.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "emulator/kernel/lower.h"

using namespace wedjat;

namespace {

struct Anywhere : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId id) const override { return 0x1000 + 0x100 * id.index; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
  std::uint64_t function(ptx::SymbolId id) const override { return 0xf000 + id.index; }
};

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("nvcc's kernels are lowered") {
  int kernels = 0;
  for (const char* folder :
       {WEDJAT_SOURCE_DIR "/tests/emulator/kernel/nvcc", WEDJAT_SOURCE_DIR "/benchmarks/kernels"}) {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().extension() != ".ptx") continue;
      const auto module = ptx::Module::parse(file.path().filename().string(), text_of(file.path()));
      const ptx::Module* const modules[] = {module.get()};
      const ptx::Program program = ptx::Program::link(modules);
      for (const ptx::Function& function : module->functions) {
        if (!function.is_entry) continue;
        CAPTURE(function.name);
        const auto kernel = kernel::lower(program, program.find_entry(function.name), Anywhere());
        for (const kernel::Function& lowered : kernel->functions) {
          CHECK(lowered.refused == "");
          for (const kernel::Step& step : lowered.steps)
            CHECK((step.full != nullptr || step.form == nullptr));
          CHECK(lowered.frame_bytes < 64 * 1024);
        }
        ++kernels;
      }
    }
  }
  CHECK(kernels >= 20);
}
