// Constant expressions (PTX ISA 4.5); the expected values are what ptxas writes for the same text.
#include "emulator/ptx/declarations/constant.h"

#include <bit>

#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

namespace {

Operand immediate(const std::string& expression) {
  const auto module = kernel(".reg .b64 %l; mov.b64 %l, " + expression + ";");
  const Body& body = body_of(*module);
  return body.operands_of(body.instructions.front())[1];
}

std::uint64_t bits(const std::string& expression) {
  const Operand operand = immediate(expression);
  REQUIRE(operand.kind == Operand::Kind::integer);
  return static_cast<std::uint64_t>(operand.value);
}

double real(const std::string& expression) {
  const Operand operand = immediate(expression);
  REQUIRE(operand.kind == Operand::Kind::float64);
  return std::bit_cast<double>(operand.value);
}

}  // namespace

TEST_CASE("integer literals") {
  CHECK(bits("0") == 0);
  CHECK(bits("42") == 42);
  CHECK(bits("0xFF") == 255);
  CHECK(bits("0Xff") == 255);
  CHECK(bits("0b1011") == 11);
  CHECK(bits("0777") == 511);
  CHECK(bits("017U") == 15);
  CHECK(bits("18446744073709551615") == ~0ull);
  CHECK(!immediate("9223372036854775807").is_unsigned);
  CHECK(immediate("9223372036854775808").is_unsigned);
  CHECK(immediate("1U").is_unsigned);
  CHECK(bits("WARP_SZ") == 32);
}

TEST_CASE("what is no number") {
  for (const char* text : {"08", "0b12", "0x", "5u", "1x", "0f3F80", "0f3F8000000", "0d3FF",
                           "0xFFFFFFFFFFFFFFFFF", "18446744073709551616", "1e", "12abc"}) {
    CAPTURE(text);
    CHECK(!parse_literal(text));
    CHECK(body_refusal(std::string(".reg .b64 %l; mov.b64 %l, ") + text + ";") != "");
  }
}

TEST_CASE("operators, precedence and types") {
  CHECK(bits("1<<4|3") == 19);
  CHECK(bits("(2+3)*2") == 10);
  CHECK(bits("2+3*2") == 8);
  CHECK(bits("10 - 2 - 3") == 5);
  CHECK(bits("4 / 2 * 3") == 6);
  CHECK(bits("1 | 2 == 2") == 1);
  CHECK(bits("1 + 2 == 3") == 1);
  CHECK(bits("2 > 1 > 0") == 1);
  CHECK(bits("0 || 0 && 1") == 0);
  CHECK(bits("1 ? 2 : 0 ? 3 : 4") == 2);
  CHECK(bits("7 / -2") == static_cast<std::uint64_t>(-3));
  CHECK(bits("-1 / 2") == 0);
  CHECK(bits("-7 % 3") == 0);
  CHECK(bits("-8 % 3 / 2") == 1);
  CHECK(bits("(~5) >> 1") == 0x7ffffffffffffffd);
  CHECK(bits("(-1 & -1) >> 1") == ~0ull);
  CHECK(bits("(1<<63) >> 1") == 0xc000000000000000);
  CHECK(bits("0x8000000000000000 >> 1") == 0x4000000000000000);
  CHECK(bits("1 << 70") == 64);
  CHECK(bits("1 >> -1") == 0);
  CHECK(bits("-1 > 0U") == 1);
  CHECK(bits("- 5U / 2") == 0x7ffffffffffffffd);
  CHECK(bits("-0x8000000000000000 / -1") == 0);
  CHECK(bits("(-9223372036854775807 - 1) / -1") == 0x8000000000000000);
  CHECK(bits("(.s64)(18446744073709551615) >> 4") == ~0ull);
  CHECK(bits("(.u64)-1 >> 60") == 15);
  CHECK(bits("~5 + !0 + +1") == static_cast<std::uint64_t>(-4));
  CHECK(bits("(1.0 < 2.0) ? 7 : 8") == 7);
}

TEST_CASE("floats") {
  CHECK(real("1.5e-3") == 1.5e-3);
  CHECK(real(".5") == 0.5);
  CHECK(real("1.") == 1.0);
  CHECK(real("1e5") == 1e5);
  CHECK(real("-2.0") == -2.0);
  CHECK(real("1.0/3.0") == 1.0 / 3.0);
  CHECK(real("-1.5+2.0*3.0") == 4.5);
  CHECK(real("0d3FF0000000000001") == std::bit_cast<double>(0x3FF0000000000001ull));
  const Operand pattern = immediate("0f7f800001");
  CHECK(pattern.kind == Operand::Kind::float32);
  CHECK(pattern.value == 0x7f800001);
}

TEST_CASE("what constants do not mix") {
  for (const char* text : {"1.5 > 1", "2.5 && 1", "!1.5", "~1.5", "(.s64)2.5", "1.0 ? 5 : 6", "1 ? 1.5 : 2",
                           "1/0", "1 % 0", "(.u32)5", "1.0 % 2.0", "-0f3f800000", "1 + 0f3f800000"}) {
    CAPTURE(text);
    CHECK(body_refusal(std::string(".reg .b64 %l; mov.b64 %l, ") + text + ";") != "");
  }
}
