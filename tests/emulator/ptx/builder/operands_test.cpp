// Operands of instructions (PTX ISA 6).
#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;
using Kind = Operand::Kind;

namespace {

constexpr const char* kDeclarations =
    ".reg .pred %p<4>; .reg .b32 %r<100>; .reg .b64 %l<8>; .reg .f32 %f<4>; .reg .v4 .f32 %v;\n"
    ".local .align 16 .b8 buffer[64];\n";

/// The first instruction of text, with the module it lives in.
struct First {
  explicit First(const std::string& text)
      : module(kernel(kDeclarations + text,
                      ".global .u32 g[4]; .shared .u64 s[2][3]; .global .texref tex;\n"
                      ".func (.param .b32 r) f(.param .b32 a, .param .b32 b) { ret; }\n")),
        body(body_of(*module)),
        operands(body.operands_of(body.instructions.front())) {}
  const Operand& operator[](std::size_t i) const { return operands[i]; }
  std::string reg(const Operand& operand) const { return body.register_name(operand.index); }

  std::unique_ptr<const Module> module;
  const Body& body;
  std::span<const Operand> operands;
};

}  // namespace

TEST_CASE("registers, sinks and immediates") {
  const First i("mad.lo.s32 %r57, %r1, -5, _;");
  REQUIRE(i.operands.size() == 4);
  CHECK(i[0].kind == Kind::reg);
  CHECK(i.reg(i[0]) == "%r57");
  CHECK(i.body.declaration_of(i[0].index).type == Type::b32);
  CHECK(i[2].kind == Kind::integer);
  CHECK(i[2].value == -5);
  CHECK(i[3].kind == Kind::sink);
}

TEST_CASE("special registers are names that start with % and nothing declares") {
  const First i("mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid; mov.u32 %r2, %tid.x;");
  CHECK(i[1].kind == Kind::special_register);
  CHECK(i.body.special_registers[i[1].index] == "%tid.x");
  const Operand& last = i.body.operands_of(i.body.instructions[2])[1];
  CHECK(last.index == i[1].index);
  CHECK(i.body.special_registers.size() == 2);
}

TEST_CASE("vectors, components, selectors") {
  const First vector("ld.global.v4.u32 {%r0, _, %r2, 1}, [%l0];");
  REQUIRE(vector[0].kind == Kind::vector);
  const auto parts = vector.body.parts_of(vector[0]);
  REQUIRE(parts.size() == 4);
  CHECK(vector.reg(parts[2]) == "%r2");
  CHECK(parts[1].kind == Kind::sink);
  CHECK(parts[3].kind == Kind::integer);
  const First component("mov.b32 %f0, %v.y;");
  CHECK(component[1].component == 1);
  CHECK(First("mov.b32 %f0, %v.a;")[1].component == 3);
  CHECK(First("mov.b32 %f0, %v .z;")[1].component == 2);
  const First video("vadd.s32.u32.s32 %r0.h1, %r1.b0, %r2.b3210, %r3;");
  CHECK(video.body.selectors[video[0].selector - 1] == "h1");
  CHECK(video.body.selectors[video[2].selector - 1] == "b3210");
  CHECK(video[3].selector == 0);
  CHECK(body_refusal(".reg .b32 %r; mov.b32 %r, %r.x;") != "");
  CHECK(body_refusal(".reg .v2 .b32 %v; .reg .b32 %r; mov.b32 %r, %v.z;") != "");
}

TEST_CASE("addresses") {
  const First reg("ld.global.u32 %r0, [%l0+-8];");
  CHECK(reg[1].kind == Kind::address);
  CHECK(reg[1].base == Kind::reg);
  CHECK(reg.reg(reg[1]) == "%l0");
  CHECK(reg[1].value == -8);
  CHECK(reg[1].index_register == kNone);
  const First symbol("ld.global.u32 %r0, [g+(1<<2)];");
  CHECK(symbol[1].base == Kind::variable);
  CHECK(symbol.module->variables[symbol[1].index].name == "g");
  CHECK(symbol[1].value == 4);
  const First parameter("ld.param.u64 %l0, [p];");
  CHECK(parameter[1].base == Kind::parameter);
  CHECK(First("ld.local.u32 %r0, [buffer+16];")[1].base == Kind::local_variable);
  const First immediate("ld.local.u32 %r0, [0x10];");
  CHECK(immediate[1].base == Kind::none);
  CHECK(immediate[1].value == 16);
  const First unified("ld.b32 %r0, [%l0].unified;");
  CHECK(unified.body.selectors[unified[1].selector - 1] == "unified");
  CHECK(body_refusal(".reg .b64 %l; ld.global.u32 %l, [%l-8];") != "");
  CHECK(body_refusal(".reg .b64 %l; ld.global.u32 %l, [nowhere];") != "");
  CHECK(body_refusal(".reg .b64 %l; ld.global.u32 %l, [%nowhere];") != "");
  CHECK(body_refusal(".reg .b64 %l; ld.global.u32 %l, [%l+%l];") != "");
}

TEST_CASE("elements count values of the array's type") {
  const First constant("ld.global.u32 %r0, g[2];");
  CHECK(constant[1].kind == Kind::element);
  CHECK(constant[1].value == 8);
  CHECK(First("ld.shared.u64 %l0, s[2];")[1].value == 16);
  const First indexed("ld.global.u32 %r0, g[%r1+1];");
  CHECK(indexed.body.register_name(indexed[1].index_register) == "%r1");
  CHECK(indexed[1].value == 4);
  CHECK(body_refusal(".reg .b32 %r; ld.global.u32 %r, g[1][2];") != "");
  CHECK(body_refusal(".reg .b32 %r; ld.global.u32 %r, %r[1];") != "");
}

TEST_CASE("texture and tensor lists") {
  const First texture("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [tex, {%f0,%f1}];");
  REQUIRE(texture[1].kind == Kind::bracket_list);
  const auto parts = texture.body.parts_of(texture[1]);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].kind == Kind::address);
  CHECK(parts[0].base == Kind::variable);
  CHECK(parts[1].kind == Kind::vector);
  const First tensor(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%l0, {%r2,%r3}], "
      "[%r4];");
  CHECK(tensor.operands.size() == 3);
  CHECK(tensor.body.mnemonics.front().modifiers.back() == "mbarrier::complete_tx::bytes");
  const First resident("tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}|%p0, [tex, {%r0}];");
  REQUIRE(resident[0].kind == Kind::pair);
  CHECK(resident.body.parts_of(resident[0])[0].kind == Kind::vector);
}

TEST_CASE("pairs and negation") {
  const First i("setp.eq.and.u32 %p0|%p1, %r0, %r1, !%p2;");
  REQUIRE(i[0].kind == Kind::pair);
  CHECK(i.reg(i.body.parts_of(i[0])[1]) == "%p1");
  CHECK(i[3].negated);
  CHECK(First("shfl.sync.up.b32 %r0|_, %r1, 1, 0, -1;").body.operands.size() == 7);
  CHECK(First("add.f32 %f0, -%f1, %f2;")[1].minus);
}

TEST_CASE("symbols as values") {
  CHECK(First("mov.u64 %l0, g+4;")[1].kind == Kind::variable);
  CHECK(First("mov.u64 %l0, g+4;")[1].value == 4);
  CHECK(First("mov.u64 %l0, f;")[1].kind == Kind::function);
  CHECK(First("mov.u64 %l0, p+4;")[1].kind == Kind::parameter);
  CHECK(body_refusal(".reg .b64 %l; mov.u64 %l, g-4;") != "");
  CHECK(First("mov.u64 %l0, %l1+4;")[1].kind == Kind::reg);
  CHECK(First("mov.u64 %l0, %l1+4;")[1].value == 4);
  CHECK(body_refusal(".reg .b64 %l; mov.u64 %l, 4+g;") != "");
}

TEST_CASE("calls always have four operands") {
  const First full(
      ".reg .b64 %t; call.uni (%r0), %t, (%r1, 5), proto; proto: .callprototype (.param .b32 _) _ (.param "
      ".b32 _, .param .b32 _);");
  REQUIRE(full.operands.size() == 4);
  CHECK(full[0].kind == Kind::list);
  CHECK(full[0].count == 1);
  CHECK(full[1].kind == Kind::reg);
  CHECK(full[2].count == 2);
  CHECK(full[3].kind == Kind::prototype);
  const First bare("call f;");
  REQUIRE(bare.operands.size() == 4);
  CHECK(bare[0].count == 0);
  CHECK(bare[1].kind == Kind::function);
  CHECK(bare[2].count == 0);
  CHECK(bare[3].kind == Kind::none);
  const First empty("call (%r0), f, ();");
  CHECK(empty[0].count == 1);
  CHECK(empty[2].kind == Kind::list);
  for (const char* text : {"call;", "call (g);", "call g, (g), (g);", "call nowhere;", "call g, g, g;"}) {
    CAPTURE(text);
    CHECK(body_refusal(text) != "");
  }
}
