// What ptxas fuses is fused, and nothing else: contraction/*.ptx were compiled by ptxas, and the sums for
// which its machine code has a fused instruction carry the remark `// fused`.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "emulator/kernel/lower.h"

using namespace wedjat;

namespace {

struct Anywhere : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId id) const override { return 0x1000 + 0x100 * id.index; }
  std::uint64_t function(ptx::SymbolId id) const override { return 0xf000 + id.index; }
};

using Lines = std::set<std::uint32_t>;

Lines remarked(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// fused")) lines.insert(number);
  }
  return lines;
}

bool is_sum(std::string_view text) {
  return text.find("add.") != text.npos || text.find("sub.") != text.npos;
}

// Lines of additions and subtractions for which a fused multiply-add stands.
Lines fused(const std::string& name, const std::string& text, kernel::Contract contract) {
  const auto module = ptx::Module::parse(name, text);
  const ptx::Module* const modules[] = {module.get()};
  const ptx::Program program = ptx::Program::link(modules);
  Lines lines;
  for (const ptx::Function& function : module->functions) {
    const auto kernel =
        kernel::lower(program, program.find_entry(function.name), Anywhere(), std::span(&contract, 1));
    for (const kernel::Step& step : kernel->functions[0].steps) {
      const kernel::Origin& origin = kernel->origins[step.id];
      if (step.form != nullptr && step.form->opcode == "fma" && is_sum(origin.text))
        lines.insert(origin.ptx_line);
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("fused are exactly the sums that ptxas fuses") {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/kernel/contraction")) {
    if (file.path().extension() != ".ptx") continue;
    ++files;
    const std::string name = file.path().filename().string();
    CAPTURE(name);
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const Lines expected = remarked(text.str()), got = fused(name, text.str(), kernel::Contract::ptxas);
    CHECK(expected.size() >= 5);
    for (std::uint32_t line : expected) CHECK_MESSAGE(got.contains(line), "line " << line << " is not fused");
    for (std::uint32_t line : got) CHECK_MESSAGE(expected.contains(line), "line " << line << " is fused");
    CHECK(fused(name, text.str(), kernel::Contract::none).empty());
  }
  CHECK(files >= 4);
}
