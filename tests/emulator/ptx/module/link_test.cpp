// Names across modules (PTX ISA 10.6).
#include "emulator/ptx/module/link.h"

#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

namespace {

struct Linked {
  explicit Linked(std::vector<std::string> texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      owned.push_back(Module::parse("m" + std::to_string(i) + ".ptx", kHeader + texts[i]));
      modules.push_back(owned.back().get());
    }
    program = Program::link(modules);
  }
  SymbolId function(std::uint32_t module, const char* name) const {
    return program.function(module, modules[module]->find_function(name));
  }
  SymbolId variable(std::uint32_t module, const char* name) const {
    return program.variable(module, modules[module]->find_variable(name));
  }

  std::vector<std::unique_ptr<const Module>> owned;
  std::vector<const Module*> modules;
  Program program;
};

std::string link_refusal(std::vector<std::string> texts) {
  try {
    Linked linked(std::move(texts));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("extern finds visible in another module") {
  const Linked linked({".extern .func f(.param .b32 a); .extern .global .u32 x; .entry k() { ret; }",
                       ".visible .func f(.param .b32 a) { ret; } .visible .global .u32 x = 1;"});
  CHECK(linked.function(0, "f").module == 1);
  CHECK(linked.variable(0, "x").module == 1);
  CHECK(linked.program.find_entry("k").module == 0);
  CHECK(linked.program.find_entry("f").module == kNone);
  CHECK(linked.program.find_variable("x").module == 1);
}

TEST_CASE("names without linkage stay apart") {
  const Linked linked({".func f() { ret; } .global .u32 x;", ".func f() { ret; } .global .u64 x;"});
  CHECK(linked.function(0, "f").module == 0);
  CHECK(linked.function(1, "f").module == 1);
  CHECK(linked.variable(1, "x").module == 1);
  CHECK(linked.program.find_variable("x").module == kNone);
}

TEST_CASE("duplicates name both places") {
  const std::string message = link_refusal({".visible .func f() { ret; }", "\n.visible .func f() { ret; }"});
  CHECK(message.find("m1.ptx:5:16: 'f' is defined twice: also at m0.ptx:4:16") == 0);
  CHECK(link_refusal({".visible .global .u32 x;", ".visible .global .u32 x;"}) != "");
  CHECK(link_refusal({".entry k() { ret; }", ".entry k() { ret; }"}) != "");
}

TEST_CASE("weak loses to strong, the first weak to none") {
  const Linked strong(
      {".weak .func f() { ret; }", ".visible .func f() { ret; }", ".weak .func f() { ret; }"});
  for (std::uint32_t m = 0; m < 3; ++m) CHECK(strong.function(m, "f").module == 1);
  const Linked weak({".weak .global .u32 x = 1;", ".weak .global .u32 x = 2;"});
  CHECK(weak.variable(1, "x").module == 0);
}

TEST_CASE("common merges by size and yields to a definition") {
  const Linked common(
      {".common .global .u32 x[2];", ".common .global .u32 x[8];", ".common .global .u32 x[4];"});
  CHECK(common.variable(0, "x").module == 1);
  const Linked defined({".common .global .u32 x[8];", ".visible .global .u32 x[8];"});
  CHECK(defined.variable(0, "x").module == 1);
}

TEST_CASE("aliases are followed, also from other modules") {
  const Linked linked({".visible .func f() { ret; } .visible .func g(); .alias g, f;", ".extern .func g();"});
  const SymbolId id = linked.function(1, "g");
  CHECK(id.module == 0);
  CHECK(linked.modules[0]->functions[id.index].name == "f");
}

TEST_CASE("what is nowhere defined is refused when asked for") {
  const Linked linked(
      {".extern .func f(); .extern .global .u32 x; .extern .shared .b8 dyn[];\n"
       ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);"});
  CHECK_THROWS_AS(linked.function(0, "f"), Error);
  CHECK_THROWS_AS(linked.variable(0, "x"), Error);
  CHECK(linked.variable(0, "dyn").module == 0);
  CHECK(linked.function(0, "vprintf").module == 0);
  CHECK(is_device_runtime("__assertfail"));
  CHECK(!is_device_runtime("f"));
}

TEST_CASE("declarations that disagree with the definition are refused") {
  const Linked linked({".extern .func f(.param .b32 a); .extern .global .u32 x;",
                       ".visible .func f(.param .b64 a) { ret; } .visible .global .f64 x;"});
  CHECK_THROWS_AS(linked.function(0, "f"), Error);
  CHECK_THROWS_AS(linked.variable(0, "x"), Error);
}
