#include "semcc/ir/printer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "tests/semcc/compile.h"

namespace fs = std::filesystem;
using namespace semcc;

namespace {

std::string contents(fs::path path, const char* extension) {
  std::ifstream in(path.replace_extension(extension));
  REQUIRE_MESSAGE(in, path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

ir::Form form_of(const std::vector<ir::Operand>& operands) {
  ir::Form form;
  form.opcode = "x";
  form.operands = operands;
  return form;
}

ir::Operand operand(const char* name, ir::OperandKind kind, ir::Type type = {}) {
  ir::Operand o;
  o.name = name;
  o.kind = kind;
  o.type = type;
  o.in = true;
  return o;
}

}  // namespace

TEST_CASE("forms print as written down") {
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(WEDJAT_SOURCE_DIR) / "tests/semcc/ir/cases")) {
    if (entry.path().extension() != ".psem") continue;
    INFO(entry.path().string());
    ++cases;
    const Compiled compiled = compile({entry.path().string()});
    REQUIRE(compiled.diagnostics->text() == "");
    std::string forms, summary;
    for (const ir::Family& family : compiled.program.families) {
      for (const ir::Form& form : family.forms) {
        forms += ir::print(form) + "\n";
        summary += ir::summary(form);
      }
    }
    CHECK(forms == contents(entry.path(), ".txt"));
    CHECK(summary == contents(entry.path(), ".forms"));
  }
  CHECK(cases >= 3);
}

TEST_CASE("a pattern names sides, bits and spaces") {
  const ir::Type u8{ir::Kind::Integer, false, false, 8},
      f16x2{ir::Kind::Float, false, false, 16, 2, ir::Format::f16};
  ir::Operand both = operand("d", ir::OperandKind::Register, f16x2);
  both.out = true;
  ir::Operand address = operand("a", ir::OperandKind::Address);
  address.space = ir::Space::SharedCluster;
  ir::Operand fragment = operand("f", ir::OperandKind::Fragment, u8);
  fragment.count = 4;
  const ir::Form form = form_of({both, address, fragment, operand("i", ir::OperandKind::Immediate),
                                 operand("l", ir::OperandKind::List)});
  CHECK(ir::patterns(form) == std::vector<std::string>{"x.b32, [sc], {s.b16*4}, #imm, list"});
}

TEST_CASE("each optional operand doubles the patterns") {
  ir::Operand a = operand("a", ir::OperandKind::Predicate), b = a, c = a;
  b.optional = b.paired = b.out = true;
  b.in = false;
  c.optional = true;
  CHECK(ir::patterns(form_of({a, b, c})) ==
        std::vector<std::string>{"s.pred", "s.pred, s.pred", "s.pred|d.pred", "s.pred|d.pred, s.pred"});
  CHECK(ir::patterns(form_of({})) == std::vector<std::string>{""});
  CHECK(ir::operand_list(form_of({a, b, c})) == "a[|a]{, a}");
}

TEST_CASE("availability as text") {
  CHECK(ir::since_text({}) == "");
  CHECK(ir::since_text({7, 8, {}}) == "7.8");
  CHECK(ir::since_text({8, 0, {"sm_90a", "sm_100a"}}) == "8.0 sm_90a or sm_100a");
}
