#include "emulator/kernel/legality/decode.h"

#include <doctest/doctest.h>

#include "emulator/ptx/module/module.h"
#include "tests/emulator/kernel/fake_forms.h"

using namespace wedjat;

namespace {

// The form of the one instruction, or what it is refused with.
std::string decode(const std::string& instruction, const std::string& version = "8.0",
                   const std::string& target = "sm_90a") {
  const std::string text = ".version " + version + "\n.target " + target +
                           "\n.address_size 64\n.entry k(.param .u32 n) {\n" +
                           ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .u32 %u<4>; .reg .f32 "
                           "%f<4>; .reg .b64 %rd<4>;\n" +
                           instruction + "\nL: ret;\n}\n";
  const auto module = ptx::Module::parse("case.ptx", text);
  const ptx::Function& function = module->functions[0];
  kernel::Decoder decoder(test::fake_table(), function, function.body());
  try {
    return std::string(decoder.decode(function.body().instructions[0]).text);
  } catch (const ptx::Error& error) {
    return error.message();
  }
}

void refused(const std::string& instruction, const std::string& why) {
  const std::string message = decode(instruction);
  INFO(instruction, " -> ", message);
  CHECK(message.find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("registers: width and class") {
  CHECK(decode("add.s32 %r1, %u2, 5;") == "add.s32");
  CHECK(decode("add.f32 %f1, %r2, 0f3F800000;") == "add.f32");
  refused("add.s32 %r1, %rd2, 5;", "operand 2 must be a .s32 operand, %rd2 is .b64");
  refused("add.s32 %f1, %r2, 5;", "operand 1 must be");
  refused("add.f32 %u1, %f2, %f2;", "operand 1 must be a .f32");
  refused("add.f32 %f1, %f2, 1;", "operand 3 must be");
  refused("add.s32 %r1, %r2, 1.5;", "operand 3 must be");
  refused("add.s32 5, %r2, %r1;", "operand 1 must be");
}

TEST_CASE("wider registers only where the form extends") {
  CHECK(decode("ld.global.u32 %rd1, [%rd2+4];") == "ld.global.u32");
  CHECK(decode("st.global.u8 [%rd2], %r1;") == "st.global.u8");
  refused("ld.global.u32 %h1, [%rd2];", "(or wider)");
}

TEST_CASE("predicates, pairs, negation, vectors") {
  CHECK(decode("setp.lt.s32 %p1, %r1, %r2;") == "setp.lt.s32");
  CHECK(decode("setp.lt.s32 %p1|%p2, %r1, %r2;") == "setp.lt.s32");
  CHECK(decode("and.pred %p1, !%p2, %p3;") == "and.pred");
  refused("not.pred %p1, !%p2;", "cannot be negated");
  refused("mov.b32 %r1|%p1, %r2;", "operand 1");
  CHECK(decode("ld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%rd1];") == "ld.global.v4.f32");
  refused("ld.global.v4.f32 {%f0,%f1}, [%rd1];", "a vector of 4 .f32 elements");
}

TEST_CASE("coordinates of textures may be more than are read") {
  const std::string texel = "tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, ";
  CHECK(decode(texel + "{%r1,%r2}];") == "tex.2d.v4.f32.s32");
  CHECK(decode(texel + "{%r1,%r2,%r3,%r0}];") == "tex.2d.v4.f32.s32");
  refused(texel + "{%r1,%r2,%r3}];", "a vector of 2 .s32 elements");
  refused(texel + "{%r1,%r2,%r3,%f0}];", "a vector of 2 .s32 elements");
  CHECK(decode("tiles.2d [%rd1, {%r1,%r2}];") == "tiles.2d");
  refused("tiles.2d [%rd1, {%r1,%r2,%r3,%r0}];", "a vector of 2 .s32 elements");
}

TEST_CASE("elements of arrays stand where values are moved") {
  const std::string array = ".shared .u32 a[4]; ";
  CHECK(decode(array + "ld.shared.u32 %r1, a[2];") == "ld.shared.u32");
  CHECK(decode(array + "mov.u64 %rd1, a[%r1+2];") == "mov.u64");
  refused(array + "atom.add.u32 %r1, a[2], 1;", "operand 2 must be an address");
  refused(array + "add.u64 %rd1, %rd1, a[2];", "operand 3");
}

TEST_CASE("addresses of variables stand where addresses are made, addresses of functions in any operand") {
  const std::string variables = ".shared .u32 s; .shared .u32 a[4]; ";
  CHECK(decode(variables + "mov.u64 %rd1, s;") == "mov.u64");
  CHECK(decode(variables + "mov.u64 %rd1, s+4;") == "mov.u64");
  CHECK(decode(variables + "mov.u64 %rd1, n;") == "mov.u64");
  CHECK(decode("add.u64 %rd1, %rd2, k;") == "add.u64");
  refused(variables + "add.u64 %rd1, s, 4;", "operand 2 must be");
  refused(variables + "add.u64 %rd1, %rd2, s;", "operand 3 must be");
  refused("add.u64 %rd1, n, 4;", "operand 2 must be");
  refused(variables + "st.global.u32 [%rd1], s;", "operand 2 must be");
  refused(variables + "mov.f32 %f1, s;", "operand 2 must be");
}

TEST_CASE("what is refused says why") {
  refused("frobnicate.b32 %r1, %r2;", "no semantics for the instruction 'frobnicate'");
  refused("add.s33 %r1, %r2, %r3;", "unknown modifier .s33; nearest: ");
  refused("add.s32 %r1, %r2;", "takes 3 operands, 2 are written");
  refused("add.s32 %r1, %r2, %r3, %r0;", "takes 3 operands, 4 are written");
  CHECK(decode("fresh.b32 %r1, %r2;") == "fresh.b32");
  CHECK(decode("fresh.b32 %r1, %r2;", "7.7").find("needs .version 7.8, the module says 7.7") !=
        std::string::npos);
  CHECK(decode("fresh.b32 %r1, %r2;", "8.0", "sm_90").find("needs .target sm_90a, the module says sm_90") !=
        std::string::npos);
}
