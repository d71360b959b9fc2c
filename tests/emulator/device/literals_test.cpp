// Functions of literals: what ptxas 13.0 wrote into its machine code in their place.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "emulator/device/device.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;

// `text` leaves its result in %f1.
std::uint32_t result(const std::string& text, kernel::Contract contract) {
  device::Device device({.threads = 1, .contract = contract});
  const std::string ptx = fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) {{\n"
      ".reg .b64 %rd<2>; .reg .f32 %f<4>;\nld.param.u64 %rd1, [out];\n{}\nst.global.f32 [%rd1], "
      "%f1;\nret;\n}}\n",
      text);
  device::Module* module = device.load_module({{"a.ptx", ptx}}, {});
  device.allocate_at(buffer, 4, "out");
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &buffer, 8);
  device.launch(device.function(module, "k"), {}, parameters);
  std::uint32_t bits = 0;
  device.read(buffer, std::as_writable_bytes(std::span(&bits, 1)));
  return bits;
}

}  // namespace

TEST_CASE("functions of literals are correctly rounded where contraction is ptxas's") {
  const struct {
    const char *form, *literal;
    std::uint32_t folded;
  } rows[] = {
      {"rcp.approx.ftz.f32", "0f40EEC996", 0x3e093a05},   {"rcp.approx.f32", "0f41044A82", 0x3df7b23f},
      {"rsqrt.approx.ftz.f32", "0f4149586D", 0x3e9054b1}, {"sqrt.approx.ftz.f32", "0f40940CF2", 0x4009a925},
      {"ex2.approx.ftz.f32", "0f41084732", 0x43b736a5},   {"lg2.approx.ftz.f32", "0f3E4A46BB", 0xc015bf8e},
      {"sin.approx.ftz.f32", "0f40736E57", 0xbf1d5d91},   {"cos.approx.f32", "0f3F800000", 0x3f0a5140},
      {"cos.approx.ftz.f32", "0f42D20000", 0xbe76bdf8}};
  for (const auto& row : rows) {
    CAPTURE(row.form);
    const std::string text = fmt::format("{} %f1, {};", row.form, row.literal);
    CHECK(result(text, kernel::Contract::ptxas) == row.folded);
    CHECK(result(text, kernel::Contract::constants) == row.folded);
    CHECK(result(text, kernel::Contract::none) != row.folded);
    const std::string moved = fmt::format("mov.f32 %f2, {};\n{} %f1, %f2;", row.literal, row.form);
    CHECK(result(moved, kernel::Contract::ptxas) == row.folded);
    const std::string computed = fmt::format(
        "mul.f32 %f2, {}, 0f40000000;\nmul.f32 %f3, %f2, 0f3F000000;\n{} %f1, %f3;", row.literal, row.form);
    CHECK(result(computed, kernel::Contract::ptxas) == row.folded);
  }
}

TEST_CASE("numbers that functions are given are computed as the instructions do, signs of zeros too") {
  const auto sine = [](const std::string& text) {
    return result(text + " sin.approx.f32 %f1, %f2;", kernel::Contract::ptxas);
  };
  CHECK(sine("min.f32 %f2, 0f00000000, 0f80000000;") == 0x80000000);
  CHECK(sine("min.f32 %f2, 0f80000000, 0f00000000;") == 0x80000000);
  CHECK(sine("max.f32 %f2, 0f80000000, 0f00000000;") == 0);
  CHECK(sine("max.f32 %f2, 0f00000000, 0f80000000;") == 0);
  CHECK(sine("neg.f32 %f2, 0f00000000;") == 0x80000000);
  CHECK(sine("mul.f32 %f2, 0f80000000, 0f3F800000;") == 0x80000000);
}

TEST_CASE("what is no usual number is left to the special-function unit") {
  for (const char* text : {"rcp.approx.f32 %f1, 0f00000000;", "lg2.approx.ftz.f32 %f1, 0f00000001;",
                           "ex2.approx.f32 %f1, 0fC2FE0000;", "sqrt.approx.f32 %f1, 0fBF800000;"})
    CHECK(result(text, kernel::Contract::ptxas) == result(text, kernel::Contract::none));
}

TEST_CASE("of a subnormal literal, too, where it is not flushed") {
  CHECK(result("rsqrt.approx.f32 %f1, 0f00000001;", kernel::Contract::ptxas) == 0x64b504f3);
  CHECK(result("rsqrt.approx.f32 %f1, 0f00000001;", kernel::Contract::none) == 0x64b504f2);
  CHECK(result("rsqrt.approx.ftz.f32 %f1, 0f00000001;", kernel::Contract::ptxas) == 0x7f800000);
}

// nvcc -fmad=false hands -fmad false on to ptxas, which then still multiplies with reciprocals of literals
// (seen in its machine code, and in the results of programs on an H200).
TEST_CASE("without fusing, quotients by literals are products, and products with 1 stay") {
  const std::string quotient = "cvt.rn.f32.u32 %f2, %ntid.x;\ndiv.full.ftz.f32 %f1, %f2, 0f437F0000;";
  CHECK(result(quotient, kernel::Contract::ptxas) == 0x3b808081);
  CHECK(result(quotient, kernel::Contract::constants) == 0x3b808081);
  CHECK(result(quotient, kernel::Contract::none) == 0x3b808080);
  const std::string unit =
      ".reg .b32 %n;\nadd.u32 %n, %ntid.x, 0x7f800001;\nmov.b32 %f2, %n;\nmul.f32 %f1, %f2, 0f3F800000;";
  CHECK(result(unit, kernel::Contract::ptxas) == 0x7f800002);
  CHECK(result(unit, kernel::Contract::constants) == 0x7fffffff);
}

TEST_CASE("in a register that was written before, under a guard and one of another, too") {
  CHECK(result("mov.f32 %f1, 0f00000000; sin.approx.f32 %f1, 0f3F800000;", kernel::Contract::ptxas) ==
        0x3f576aa4);
  const std::string guarded =
      ".reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.eq.u32 %p, %t, 0;\n"
      "mov.f32 %f1, 0f00000000; @%p sin.approx.f32 %f1, 0f3F000000;";
  CHECK(result(guarded, kernel::Contract::ptxas) == 0x3ef57744);
  const std::string twice = "cos.approx.f32 %f1, 0f40000000; cos.approx.f32 %f1, %f1;";
  CHECK(result(twice, kernel::Contract::ptxas) == 0x3f6a26b8);
  CHECK(result(twice, kernel::Contract::none) != 0x3f6a26b8);
}

TEST_CASE("values that depend on themselves are no literals, and long chains of literals are found at once") {
  const std::string loop =
      ".reg .pred %p; .reg .f32 %g<3>; .reg .b32 %i;\nmov.b32 %i, 0;\nL: mul.f32 %g1, %g1, 0f40000000;\n"
      "add.f32 %g2, %g1, %g1;\nadd.s32 %i, %i, 1;\nsetp.lt.s32 %p, %i, 3;\n@%p bra L;\nrcp.approx.f32 %f1, "
      "%g2;";
  CHECK(result(loop, kernel::Contract::ptxas) == result(loop, kernel::Contract::none));
  std::string chain = ".reg .f32 %g<101>;\nmov.f32 %g0, 0f3F800000;\n";
  for (int i = 0; i < 100; ++i) chain += fmt::format("mul.f32 %g{}, %g{}, %g{};\n", i + 1, i, i);
  CHECK(result(chain + "sin.approx.ftz.f32 %f1, %g100;", kernel::Contract::ptxas) ==
        result("sin.approx.ftz.f32 %f1, 0f3F800000;", kernel::Contract::ptxas));
}
