// Statements, scopes and labels (PTX ISA 4.2, 4.4, 5.4.6, 11.1, 11.3, 11.5).
#include <thread>

#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;
using Kind = Operand::Kind;

TEST_CASE("mnemonics are words in written order, one entry a spelling") {
  const auto module = kernel(
      ".reg .b32 %r<9>; .reg .b64 %l;\n"
      "ld.global.v4.L2::128B.u32 {%r0,%r1,%r2,%r3}, [%l];\n"
      "ld.global.v4.L2::128B.u32 {%r4,%r5,%r6,%r7}, [%l];\n"
      "ld .global .u32 %r8, [%l];\n"
      "mov . b32 %r0, 1;\n");
  CHECK_THROWS_AS(body_of(*module), Error);
  const auto good = kernel(
      ".reg .b32 %r<9>; .reg .b64 %l;\n"
      "ld.global.v4.L2::128B.u32 {%r0,%r1,%r2,%r3}, [%l];\n"
      "ld.global.v4.L2::128B.u32 {%r4,%r5,%r6,%r7}, [%l];\n"
      "ld .global .u32 %r8, [%l];\n"
      "ld.global.u32 %r8, [%l];\n");
  const Body& body = body_of(*good);
  REQUIRE(body.mnemonics.size() == 2);
  CHECK(body.mnemonics[0].opcode == "ld");
  CHECK(body.mnemonics[0].modifiers == std::vector<std::string_view>{"global", "v4", "L2::128B", "u32"});
  CHECK(body.mnemonics[1].text == "ld.global.u32");
  CHECK(body.instructions[0].mnemonic == body.instructions[1].mnemonic);
  CHECK(body.instructions[2].mnemonic == body.instructions[3].mnemonic);
  CHECK(body.instructions[1].where.line == 8);
  CHECK(body.instructions[1].where.column == 1);
}

TEST_CASE("guards") {
  const auto module = kernel(".reg .pred %p<4>; .reg .b32 r; @%p1 mov.b32 r, 1; @!%p2 ret; ret;");
  const auto& instructions = body_of(*module).instructions;
  CHECK(instructions[0].guard == 1);
  CHECK(!instructions[0].guard_negated);
  CHECK(instructions[1].guard == 2);
  CHECK(instructions[1].guard_negated);
  CHECK(instructions[2].guard == kNone);
  CHECK(body_refusal("@%p ret;") != "");
  CHECK(body_refusal(".reg .b32 %p; @%p ret;") != "");
  CHECK(body_refusal(".reg .pred p; @p L: ret;") != "");
}

TEST_CASE("ranges and shadowing") {
  const auto module = kernel(
      ".reg .b32 %r<8>, single;\n"
      "mov.b32 %r7, 1;\n"
      "{ .reg .b64 %r0; mov.b64 %r0, 1; { .reg .f32 %r<2>; mov.f32 %r0, 1.0; mov.f32 %r1, 1.0; mov.b32 %r2, "
      "1; } }\n"
      "mov.b32 %r0, 1; mov.b32 single, 2;\n");
  const Body& body = body_of(*module);
  CHECK(body.register_count == 12);
  const auto type = [&](std::size_t i) {
    return body.declaration_of(body.operands_of(body.instructions[i])[0].index).type;
  };
  CHECK(type(0) == Type::b32);
  CHECK(type(1) == Type::b64);
  CHECK(type(2) == Type::f32);
  CHECK(type(3) == Type::f32);
  CHECK(type(4) == Type::b32);
  CHECK(type(5) == Type::b32);
  CHECK(body.register_name(body.operands_of(body.instructions[6])[0].index) == "single");
}

TEST_CASE("what is declared twice or not at all") {
  for (const char* text :
       {".reg .b32 %r<4>, %r2;", ".reg .b32 %r2; .reg .b64 %r<4>;", ".reg .b32 %r<4>, %r<2>;", "x: x: ret;",
        ".reg .b32 x; x: ret;", ".reg .b32 p;", "bra nowhere;", "{x: ret;} bra x;", "mov.b32 a, 1;",
        ".reg .b32 a.b;", ".reg .b32 _;", "{ .reg .b32 q; } mov.b32 q, 1;"}) {
    CAPTURE(text);
    CHECK(body_refusal(text) != "");
  }
  CHECK(body_refusal(".reg .b32 x; { x: ret; }") == "");
  CHECK(body_refusal(".reg .b32 %r<4>, %r5, %r;") == "");
}

TEST_CASE("labels resolve forward, backward, outward, and to the innermost") {
  const auto module = kernel("A: bra B; { bra C; bra D; D: bra A; } D: bra D; C: B:");
  const Body& body = body_of(*module);
  const auto target = [&](std::size_t i) {
    const Operand& operand = body.operands_of(body.instructions[i])[0];
    REQUIRE(operand.kind == Kind::label);
    return body.labels[operand.index];
  };
  CHECK(target(0).position == 5);
  CHECK(target(1).name == "C");
  CHECK(target(1).position == 5);
  CHECK(target(2).position == 3);
  CHECK(target(3).position == 0);
  CHECK(target(4).position == 4);
}

TEST_CASE("branch and call targets") {
  const auto module = kernel(
      ".reg .b32 i; .reg .b64 f64;\n"
      "T: .branchtargets L<2>, M; C: .calltargets f, g;\n"
      "brx.idx i, T; L0: ret; L1: ret; M: call f64, C;",
      ".func f() { ret; } .func g() { ret; }\n");
  const Body& body = body_of(*module);
  REQUIRE(body.branch_targets.size() == 1);
  REQUIRE(body.branch_targets[0].labels.size() == 3);
  CHECK(body.labels[body.branch_targets[0].labels[1]].name == "L1");
  CHECK(body.operands_of(body.instructions[0])[1].kind == Kind::branch_targets);
  CHECK(body.call_targets[0].functions.size() == 2);
  CHECK(body.operands_of(body.instructions.back())[3].kind == Kind::call_targets);
  CHECK(body_refusal("T: .branchtargets L<2>; L0: ret;") != "");
  CHECK(body_refusal("T: .calltargets p;") != "");
}

TEST_CASE("prototypes") {
  const auto module =
      kernel("P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;");
  const Prototype& prototype = body_of(*module).prototypes.front();
  CHECK(prototype.returns.size() == 1);
  CHECK(prototype.parameters[1].size() == 16);
  CHECK(prototype.parameters[1].alignment == 8);
  CHECK(prototype.directives.noreturn);
}

TEST_CASE("loc and pragma stand between instructions") {
  const auto module = kernel(
      "ret;\n.loc 1 12 3\nret; .pragma \"nounroll\", \"frequency 3\";\n"
      ".loc 2 10 4, function_name info+8, inlined_at 1 13 5\nret;");
  const Body& body = body_of(*module);
  CHECK(body.instructions[0].loc == kNone);
  CHECK(body.locs[body.instructions[1].loc].line == 12);
  const Loc& inlined = body.locs[body.instructions[2].loc];
  CHECK(inlined.function_name == "info");
  CHECK(inlined.function_name_offset == 8);
  CHECK(inlined.inlined_line == 13);
  REQUIRE(body.pragmas.size() == 2);
  CHECK(body.pragmas[1].text == "frequency 3");
  CHECK(body.pragmas[1].position == 2);
}

TEST_CASE("variables and parameters in bodies") {
  const auto module = parse(
      ".func (.reg .u32 r) f(.reg .u32 a, .param .b32 b) {\n"
      ".local .align 8 .b8 buffer[24]; .shared .f32 tile[16][16]; .param .b32 q; .const .u32 c = 3; .global "
      ".u32 n<2>;\n"
      "mov.u32 r, a; ld.param.u32 r, [b]; st.global.u32 [n1], r; }");
  const Body& body = body_of(*module, "f");
  REQUIRE(body.variables.size() == 6);
  CHECK(body.variables[0].alignment == 8);
  CHECK(body.variables[1].size() == 1024);
  CHECK(body.variables[3].data.size() == 4);
  CHECK(body.variables[5].name == "n1");
  CHECK(body.return_registers == std::vector<std::uint32_t>{0});
  CHECK(body.parameter_registers == std::vector<std::uint32_t>{1, kNone});
  CHECK(body.operands_of(body.instructions[2])[0].index == 5);
}

TEST_CASE("a bad body is refused when asked for, each time, and others are not") {
  const auto module = parse(".entry bad() { mov.b32 x }\n.entry good() { ret; }");
  for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(body_of(*module, "bad"), Error);
  CHECK(body_of(*module, "good").instructions.size() == 1);
  try {
    body_of(*module, "bad");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) ==
          "t.ptx:4:26: the text ends in the middle of a statement\n  .entry bad() { mov.b32 x }\n            "
          "               ^");
  }
}

TEST_CASE("threads may ask for bodies at the same time") {
  std::string text;
  for (int i = 0; i < 64; ++i)
    text += ".entry k" + std::to_string(i) + "() { .reg .b32 %r<9>; L: mov.b32 %r1, " + std::to_string(i) +
            "; bra L; }\n";
  const auto module = parse(text);
  std::vector<std::thread> threads;
  std::vector<std::int64_t> sums(4);
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&, t] {
      for (const Function& function : module->functions) {
        const Body& body = function.body();
        sums[t] += body.operands_of(body.instructions[0])[1].value;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sums == std::vector<std::int64_t>(4, 64 * 63 / 2));
}
