// What ptxas fuses is fused, and nothing else: contraction/*.ptx were compiled by ptxas, and the sums for
// which its machine code has a fused instruction carry the remark `// fused`, with numbers where some of
// several copies have.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "emulator/kernel/lower.h"

using namespace wedjat;

namespace {

struct Anywhere : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId id) const override { return 0x1000 + 0x100 * id.index; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
  std::uint64_t function(ptx::SymbolId id) const override { return 0xf000 + id.index; }
};

// By line: "fused", or "fused 4 of 7" where a loop was unrolled and only some copies are.
using Lines = std::map<std::uint32_t, std::string>;

Lines remarked(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (const auto at = line.find("// fused"); at != line.npos && at != 0)
      lines[number] = line.substr(at + 3);
  }
  return lines;
}

bool is_sum(std::string_view text) {
  return text.find("add.") != text.npos || text.find("sub.") != text.npos;
}

// A difference whose operands ptxas exchanges is such a product too: no sum is fused into it.
bool is_exchanged(const kernel::Function& function, const kernel::Step& step) {
  constexpr std::uint64_t minus_one = 0xbff0000000000000;
  return std::ranges::any_of(function.fills, [&](const kernel::RowFill& fill) {
    return fill.source == kernel::RowFill::Source::Constant && fill.value == minus_one &&
           fill.row == step.row[2];
  });
}

// Lines of additions and subtractions for which a fused multiply-add stands.
Lines fused(const std::string& name, const std::string& text, kernel::Contract contract) {
  const auto module = ptx::Module::parse(name, text);
  const ptx::Module* const modules[] = {module.get()};
  const ptx::Program program = ptx::Program::link(modules);
  std::map<std::uint32_t, int> all, together;
  for (const ptx::Function& function : module->functions) {
    const auto kernel =
        kernel::lower(program, program.find_entry(function.name), Anywhere(), std::span(&contract, 1));
    const kernel::Function& lowered = kernel->functions[0];
    for (const kernel::Step& step : lowered.steps) {
      const kernel::Origin& origin = kernel->origins[step.id];
      if (step.form == nullptr || !is_sum(origin.text)) continue;
      const bool exchanged =
          origin.text.find("sub.") != std::string_view::npos && is_exchanged(lowered, step);
      const bool is_fused = step.form->opcode == "fma" && !exchanged;
      if (is_fused) ++together[origin.ptx_line];
      if (is_fused || exchanged || is_sum(step.form->text)) ++all[origin.ptx_line];
    }
  }
  Lines lines;
  for (const auto& [line, count] : together)
    lines[line] = count == all[line] ? "fused" : fmt::format("fused {} of {}", count, all[line]);
  return lines;
}

}  // namespace

TEST_CASE("fused are exactly the sums that ptxas fuses") {
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(WEDJAT_SOURCE_DIR "/tests/emulator/kernel/ptxas/contraction")) {
    if (file.path().extension() != ".ptx") continue;
    ++files;
    const std::string name = file.path().filename().string();
    CAPTURE(name);
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const Lines expected = remarked(text.str()), got = fused(name, text.str(), kernel::Contract::ptxas);
    CHECK(expected.size() >= 5);
    for (const Lines* lines : {&expected, &got}) {
      for (const auto& one : *lines) {
        CAPTURE(one.first);
        CHECK((expected.contains(one.first) ? expected.at(one.first) : "plain") ==
              (got.contains(one.first) ? got.at(one.first) : "plain"));
      }
    }
    CHECK(fused(name, text.str(), kernel::Contract::none).empty());
    CHECK(fused(name, text.str(), kernel::Contract::constants).empty());
  }
  CHECK(files >= 6);
}
