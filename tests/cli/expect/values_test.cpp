// Elements of buffers: literals, and how they are shown.
#include "cli/expect/values.h"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace wedjat::expect;

TEST_CASE("literals are rounded to nearest even") {
  const auto is = [](const char* type, const char* text, const char* wanted) {
    CAPTURE(text);
    CHECK(shown(*type_named(type), parse_literal(*type_named(type), text)) == wanted);
  };
  is("f16", "1.00048828125", "1 (0x3c00)");  // half a unit above 1: to even
  is("f16", "1.00146484375", "1.0019531 (0x3c02)");
  is("f16", "65519", "65504 (0x7bff)");
  is("f16", "65520", "inf (0x7c00)");
  is("f16", "-2.9802322387695312e-08", "-0 (0x8000)");  // half the least subnormal
  is("f16", "6.103515625e-05", "6.1035156e-05 (0x0400)");
  is("f16", "6.09755516e-05", "6.097555e-05 (0x03ff)");
  is("bf16", "3.140625", "3.140625 (0x4049)");
  is("bf16", "1.00390625", "1 (0x3f80)");
  is("f32", "16777217", "16777216 (0x4b800000)");
  is("f64", "-0.0", "-0 (0x8000000000000000)");
  is("s8", "-128", "-128 (0x80)");
  is("b128", "-1", "0xffffffffffffffffffffffffffffffff");
  for (const char* no : {"", "-", "1.5", "0xg", "1e", "--1", "300", "-129"})
    CHECK_THROWS_AS(parse_literal(*type_named("s8"), no), std::invalid_argument);
}
