// Effects are read off the body.
#include <doctest/doctest.h>

#include "tests/semcc/compile.h"

namespace {

semcc::ir::Effects effects(const std::string& body, const std::string& level = "thread") {
  const Folder folder;
  const Compiled compiled =
      compile({folder.write("x.psem",
                            "state cf : pred \"carry\";\ninstruction x {\n  manual \"1\"; summary "
                            "\"Computes.\";\n  form : x d, [p], a;\n"
                            "  operands p : in address(global); a : in u32; d : out u32;\n  " +
                                level + " { " + body + " }\n  example \"x 1\" -> 1;\n}\n")});
  REQUIRE(compiled.diagnostics->text() == "");
  return compiled.program.families.at(0).forms.at(0).effects;
}

}  // namespace

TEST_CASE("memory") {
  CHECK(effects("d = memory.read.u32(global, p);").reads_memory);
  CHECK_FALSE(effects("d = memory.read.u32(global, p);").ordered);
  CHECK(effects("d = memory.read.u32(global, p, acquire, gpu);").ordered);
  CHECK_FALSE(effects("d = memory.read.u32(shared, p, acquire, gpu);").ordered);
  CHECK(effects("memory.write.u32(global, p, a); d = 0;").writes_memory);
}

TEST_CASE("an update is ordered if its old value is used, or if it adds floats") {
  CHECK(effects("d = memory.update.u32(global, p, relaxed, gpu, old => max(old, a));").ordered);
  CHECK_FALSE(
      effects("let old = memory.update.u32(global, p, relaxed, gpu, old => max(old, a)); d = 0;").ordered);
  CHECK(effects("memory.update.f32(global, p, relaxed, gpu, old => round.f32(exact(old) + 1, rn)); d = 0;")
            .ordered);
  CHECK(effects("memory.update.u32(global, p, relaxed, gpu, old => a); d = 0;").updates_memory);
}

TEST_CASE("state, fences, barriers, lanes") {
  CHECK(effects("d = a; cf = a == 0;").writes_state);
  CHECK(effects("d = integer(cf);").reads_state);
  CHECK(effects("d = a; fence sc gpu;").fence);
  CHECK(effects("d = a; barrier.sync(a, cta.threads);", "cta").barrier);
  CHECK(effects("forall lane in active { d = a[0]; }", "warp").reads_other_lanes);
  CHECK(effects("forall lane in active { d = a; }", "warp aligned").aligned);
  CHECK(effects("forall lane in active { d = a; }", "warp sync a").warp_sync);
}
