// Which atomics are ordered among CTAs.
#include "emulator/kernel/ptxas/unused_results.h"

#include <doctest/doctest.h>

#include <string>

#include "emulator/kernel/lower.h"

using namespace wedjat;

namespace {

struct NoAddresses : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId) const override { return 0; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0; }
  std::uint64_t function(ptx::SymbolId) const override { return 0; }
};

bool is_ordered(const std::string& body, kernel::Registers registers = kernel::Registers::shared) {
  const auto module = ptx::Module::parse("case.ptx", R"(.version 8.0
.target sm_90a
.address_size 64
.entry k(.param .u64 p) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .pred %q;
  ld.param.u64 %rd1, [p];
  )" + body + "\n  ret;\n}\n");
  const ptx::Module* const modules[] = {module.get()};
  const ptx::Program program = ptx::Program::link(modules);
  return kernel::lower(program, program.find_entry("k"), NoAddresses(), {}, kernel::FormTable::generated(),
                       registers)
      ->ordered;
}

}  // namespace

TEST_CASE("an atomic whose result nobody reads is ordered only if the reduction is") {
  CHECK_FALSE(is_ordered("atom.global.add.u32 %r1, [%rd1], 1;"));
  CHECK_FALSE(is_ordered("@%q atom.global.max.s32 %r1, [%rd1], %r2;"));
  CHECK_FALSE(is_ordered("atom.add.u64 %rd2, [%rd1], %rd1;"));
  CHECK(is_ordered("atom.global.add.u32 %r1, [%rd1], 1; st.global.u32 [%rd1], %r1;"));
  CHECK(is_ordered("atom.global.add.u32 %r1, [%rd1], 1; @%q mov.u32 %r2, %r1; st.global.u32 [%rd1], %r2;"));
  // No reduction does the same, or its order shows.
  CHECK(is_ordered("atom.global.exch.b32 %r1, [%rd1], 1;"));
  CHECK(is_ordered("atom.global.cas.b32 %r1, [%rd1], 1, 2;"));
  CHECK(is_ordered("atom.global.add.f32 %f1, [%rd1], %f2;"));
  // One that is ordered puts the others in order too.
  CHECK(is_ordered("atom.global.add.u32 %r1, [%rd1], 1; atom.global.exch.b32 %r2, [%rd1], 1;"));
}

TEST_CASE("who watches registers sees results that come in order") {
  CHECK(is_ordered("atom.global.add.u32 %r1, [%rd1], 1;", kernel::Registers::named));
}
