// Which combinations of modifiers become forms.
#include <doctest/doctest.h>

#include "tests/semcc/compile.h"

TEST_CASE("rules remove combinations; a rule about types says nothing of forms without them") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(
modifier m = { m };
instruction x {
  manual "1"; summary "Computes.";
  types T = { u32, f32 };
  form      : x{.m}.T d, a;
  form bare : x.bare d, a with T = u32;
  form none : x.none.b32 d, e;
  operands a : in T; e : in u32; d : out u32;
  legal T == f32 when m;
  thread      { d = m == none ? 1 : 2; }
  thread bare { d = a; }
  thread none { d = e; }
  example "x.u32 1" -> 1;
})")});
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.form_texts() ==
        std::vector<std::string>{"x.m.f32", "x.u32", "x.f32", "x.bare", "x.none.b32"});
}

TEST_CASE("the key sorts words, but not types") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(instruction x {
  manual "1"; summary "Computes.";
  form : x.rn.b.s32.a.f32.a d, a;
  operands a : in f32; d : out s32;
  thread { d = 0; }
  example "x.rn.b.s32.a.f32.a 1" -> 0;
})")});
  REQUIRE(compiled.diagnostics->text() == "");
  CHECK(compiled.program.families.at(0).forms.at(0).key() == "x.s32.f32.a.b.rn");
}
