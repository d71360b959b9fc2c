// Which steps are barriers of all threads and nothing else.
#include "emulator/exec/warp/plain_barrier.h"

#include <doctest/doctest.h>

#include <string>

#include "emulator/kernel/lower.h"

using namespace wedjat;

namespace {

struct Nowhere : kernel::Addresses {
  std::uint64_t variable(ptx::SymbolId) const override { return 0; }
  std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0; }
  std::uint64_t function(ptx::SymbolId) const override { return 0; }
};

// Of the last step that is a barrier.
std::optional<std::uint32_t> name_of(const std::string& body) {
  const auto module = ptx::Module::parse("case.ptx", R"(.version 8.0
.target sm_90a
.address_size 64
.entry k(.param .u32 n) {
  .reg .b32 %r<4>; .reg .pred %q<2>;
  ld.param.u32 %r1, [n];
  setp.ne.u32 %q1, %r1, 0;
  )" + body + "\n  ret;\n}\n");
  const ptx::Module* const modules[] = {module.get()};
  const ptx::Program program = ptx::Program::link(modules);
  const auto kernel = kernel::lower(program, program.find_entry("k"), Nowhere());
  const kernel::Function& code = kernel->functions.front();
  std::optional<std::uint32_t> name;
  bool any = false;
  for (const kernel::Step& step : code.steps)
    if (step.flags & kernel::step_flag::barrier) {
      any = true;
      name = exec::plain_barrier(code, step);
    }
  CHECK(any);
  return name;
}

}  // namespace

TEST_CASE("barriers that a number names, of all threads, are plain") {
  CHECK(name_of("bar.sync 0;") == 0);
  CHECK(name_of("bar.sync 15;") == 15);
  CHECK(name_of("barrier.sync 3;") == 3);
}

TEST_CASE("others are not") {
  CHECK_FALSE(name_of("bar.sync %r1;"));
  CHECK_FALSE(name_of("bar.sync 0, 64;"));
  CHECK_FALSE(name_of("bar.sync 0, 96;"));
  CHECK_FALSE(name_of("bar.arrive 0, 64;"));
  CHECK_FALSE(name_of("@%q1 bar.sync 0;"));
  CHECK_FALSE(name_of("bar.red.popc.u32 %r2, 0, %q1;"));
  CHECK_FALSE(name_of("barrier.cluster.arrive;"));
  CHECK_FALSE(name_of("barrier.cluster.wait;"));
}
