// What becomes of bodies.
#include <doctest/doctest.h>

#include "semcc/ir/printer.h"
#include "tests/semcc/compile.h"

using semcc::ir::Form;
using semcc::ir::Op;
using What = semcc::ir::Stmt::What;

namespace {

const Form& only_form(const Compiled& compiled) {
  REQUIRE(compiled.diagnostics->text() == "");
  REQUIRE(compiled.program.families.size() == 1);
  REQUIRE(compiled.program.families[0].forms.size() == 1);
  return compiled.program.families[0].forms[0];
}

}  // namespace

TEST_CASE("a run-time condition becomes one choice per output") {
  const Compiled compiled = compile_body("u32", "if (a < b) { d = a; } else { d = b; }");
  const Form& form = only_form(compiled);
  REQUIRE(form.body.back().what == What::Assign);
  CHECK(form.body.back().value->op == Op::Select);
}

TEST_CASE("a compile-time condition leaves no trace, whatever the other side says") {
  const Compiled compiled =
      compile_body("u32", "if (width.u32 == 32) { d = a; } else { d = not_even_a_name; }");
  const Form& form = only_form(compiled);
  REQUIRE(form.body.size() == 1);
  CHECK(form.body[0].value->op == Op::Operand);
}

TEST_CASE("a requirement under a condition holds only there") {
  const Compiled compiled =
      compile_body("u32", "d = a; if (b == 0) { require a != 0 else undefined \"zero\"; }");
  const Form& form = only_form(compiled);
  int requirements = 0;
  for (const auto& s : form.body)
    if (s.what == What::Require) {
      ++requirements;
      CHECK(s.value->op == Op::LogicalOr);
    }
  CHECK(requirements == 1);
  CHECK(form.effects.can_fail);
}

TEST_CASE("what nobody reads is removed") {
  const Compiled compiled = compile_body("u32", "let unused = a * b; d = b;");
  CHECK(only_form(compiled).body.size() == 1);
}

TEST_CASE("a question about a surface whose answer nobody reads is removed") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(modifier what = { width };
instruction x {
  manual "1"; summary "Computes.";
  form : x d, [s];
  operands s : in address(generic); d : out u32;
  thread { let unused = surface.query(width, s); d = 1; }
  example "x [1]" -> 1;
})")});
  CHECK(only_form(compiled).body.size() == 1);
}

TEST_CASE("nothing reads an operand after the first output is written") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(instruction x {
  manual "1"; summary "Computes.";
  form : x d|e, a, b;
  operands a, b : in u32; d, e : out u32;
  thread { e = wrap.u32(a + b); d = wrap.u32(a - b); }
  example "x 1, 2" -> 0xffffffff, 3;
})")});
  const Form& form = only_form(compiled);
  bool writing = false;
  for (const auto& s : form.body) {
    writing = writing || s.what == What::Assign;
    if (!writing) continue;
    CHECK(s.what == What::Assign);
    CHECK(s.value->op == Op::Local);
  }
  CHECK(form.body.size() == 4);
}

TEST_CASE("a variable follows the loop and the branches around it") {
  const Compiled compiled =
      compile_body("u32", "var t : u32 = a; for i in 1 .. 3 { if (b > i) { t = wrap.u32(t + i); } } d = t;");
  const Form& form = only_form(compiled);
  int choices = 0;
  for (const auto& s : form.body) choices += s.what == What::Let && s.value->op == Op::Select;
  CHECK(choices == 3);
}

TEST_CASE("filters stand where the text puts them") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(instruction x {
  manual "1"; summary "Computes.";
  form : x.f32 d, a;
  operands a : in f32 via flush; d : out f32 via canonical via unit_clamp;
  thread { d = a; }
  example "x.f32 0" -> 0;
})")});
  const Form& form = only_form(compiled);
  const auto& value = form.body.back().value;
  CHECK(value->op == Op::UnitClamp);
  CHECK(value->args[0]->op == Op::Canonical);
  CHECK(form.body[0].value->op == Op::Flush);
}

TEST_CASE("warp bodies: what is the same for all lanes is computed once") {
  const Folder folder;
  const Compiled compiled = compile({folder.write("x.psem", R"(instruction x {
  manual "1"; summary "Computes.";
  form : x d, a;
  operands a : in u32; d : out u32;
  warp {
    let most = reduce.max(i in active : a[i]);
    forall lane in active { let mine = a ^ lane; d = wrap.u32(mine + most); }
  }
})")});
  const Form& form = only_form(compiled);
  CHECK(form.body[0].scalar);
  CHECK_FALSE(form.body[1].scalar);
  CHECK_FALSE(form.body.back().scalar);
}
