// Long steps that several places of a region have: they call one function, and what lives across the calls
// stays.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/emulator/device/two_tiers.h"

using namespace wedjat;

namespace {

constexpr unsigned values = 6;

// Each value of a lane goes through the step, by all lanes, by some, and behind a guard; all of them are
// stored.
std::string text_of(const std::string& step, const std::string& operand, unsigned bytes) {
  std::string text = fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 rounds, .param .u32 least) {{
  .reg .b64 %rd<4>; .reg .b32 %r<6>; .reg .b{bits} %v<6>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [rounds];
  ld.param.u32 %r2, [least];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, {lane};
  add.s64 %rd3, %rd1, %rd2;
  setp.ge.u32 %p1, %r3, %r2;
)",
                                 fmt::arg("bits", 8 * bytes), fmt::arg("lane", values * bytes));
  const auto each = [&](const std::string& line) {
    for (unsigned i = 0; i < values; ++i)
      text += fmt::format(fmt::runtime(line + "\n"), fmt::arg("v", i), fmt::arg("at", bytes * i),
                          fmt::arg("bits", 8 * bytes), fmt::arg("step", step), fmt::arg("operand", operand));
  };
  each("  ld.global.b{bits} %v{v}, [%rd3+{at}];");
  text += "again:\n";
  each("  {step} %v{v}, %v{v}{operand};");
  text += "  @!%p1 bra meet;\n";
  each("  {step} %v{v}, %v{v}{operand};");
  text += "meet:\n";
  each("  @%p1 {step} %v{v}, %v{v}{operand};");
  text += R"(  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra again;
)";
  each("  st.global.b{bits} [%rd3+{at}], %v{v};");
  return text + "  ret;\n}\n";
}

void compare(const std::string& step, const std::string& operand = "", unsigned bytes = 4) {
  const std::string text = text_of(step, operand, bytes);
  CAPTURE(step);
  for (const char* features : {"", "-avx512f", "-avx512f,-avx2,-avx,-fma"})
    for (const std::uint32_t least : {0u, 7u})
      test::compare_tiers({"k", text.c_str(), 16 * bytes * values}, {.arguments = {3, least}, .threads = 64},
                          {.features = features});
}

}  // namespace

TEST_CASE("special functions that several places call") {
  compare("ex2.approx.f32");
  compare("rsqrt.approx.f32");
  compare("sin.approx.f32");
}
TEST_CASE("quotients that several places call") {
  compare("div.approx.f32", ", %v0");
  compare("div.full.f32", ", 0f40490fdb");
}
TEST_CASE("products of 128 bits that several places call") { compare("mul.hi.u64", ", %v1", 8); }
