#include "semcc/emit/forms/forms.h"

#include <doctest/doctest.h>

#include "tests/semcc/compile.h"

using namespace semcc;

namespace {

std::string forms_of(const std::string& text) {
  const Folder folder;
  const Compiled compiled = compile({folder.write("chapter/file.psem", text)});
  REQUIRE(compiled.diagnostics->text() == "");
  return emit::emit_forms(compiled.program, emit::emit_executors(compiled.program)).at("forms.cpp");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr const char* two_families = R"(modifier cmp = { lt, ge };
hint cop = { ca, cg };
hint level = { L1, L2 };
instruction zed {
  manual "1"; summary "Computes.";
  form : zed{.cop}{.level}.cmp.u32.s16 d, a since 7.8 on sm_90a or sm_100a;
  operands a : in s16; d : out u32;
  thread { d = cmp == lt ? 1 : a[15:0]; }
  example "zed.lt.u32.s16 1" -> 1;
}
instruction a {
  manual "2"; summary "Computes.";
  form : a target_label;
  operands target_label : in label;
  control branch;
}
)";

}  // namespace

TEST_CASE("rows stand in the order of their keys: types as written, then the other words") {
  const std::string text = forms_of(two_families);
  const std::size_t a = text.find("\"a\"sv, \"a\"sv"), ge = text.find("\"zed.u32.s16.ge\"sv"),
                    lt = text.find("\"zed.u32.s16.lt\"sv");
  REQUIRE(lt != std::string::npos);
  CHECK(a < ge);
  CHECK(ge < lt);
}

TEST_CASE("a row says text, hints, availability and place") {
  const std::string text = forms_of(two_families);
  CHECK(has(text,
            "{\"zed\"sv, \"zed.lt.u32.s16\"sv, \"zed.u32.s16.lt\"sv, \"ca cg|L1 L2\"sv, Control::None, "));
  CHECK(has(text, "chapter/file.psem:6\"sv, executors::"));
  CHECK(has(text, ", 708, \"sm_90a sm_100a\"sv, Semantics::None, Scope::None},"));
}

TEST_CASE("control flow has no executor but says what to do") {
  const std::string text = forms_of(two_families);
  CHECK(has(text, "\"\"sv, Control::Branch, "));
  CHECK(has(text, "file.psem:13\"sv, nullptr, nullptr, "));
  CHECK(count(text, "nullptr, nullptr") == 1);
}

TEST_CASE("equal operand lists are written once") {
  const std::string text = forms_of(two_families);
  CHECK(count(text, "{OperandKind::Register, ValueKind::Signed, 16, 1, 1, Space::None, true, false, ") == 1);
  CHECK(count(text, "{OperandKind::Label, ValueKind::None, 0, ") == 1);
}

TEST_CASE("memory labels and effects") {
  const std::string text = forms_of(R"(instruction put {
  manual "1"; summary "Computes.";
  form : put.global.u32 [a], b;
  operands a : in address(global); b : in u32;
  thread {
    require a % 4 == 0 else misaligned;
    memory.write.u32(global, a, b, release, gpu);
  }
}
)");
  CHECK(has(text, "{OperandKind::Address, "));
  CHECK(has(text, "Space::Global, true, false, "));
  CHECK(has(text,
            "Level::Thread, 1026, 0, \"\"sv, Semantics::Release, Scope::Gpu},"));  // writes_memory, can_fail
}
