#include "cli/options/arguments.h"

#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>

#include "traces/format/error.h"

using namespace wedjat::cli;

namespace {

template <class T>
T value(const std::string& text) {
  const Argument argument = parse_argument(text);
  REQUIRE(argument.kind == Argument::Kind::value);
  REQUIRE(argument.bytes.size() == sizeof(T));
  T result;
  std::memcpy(&result, argument.bytes.data(), sizeof result);
  return result;
}

}  // namespace

TEST_CASE("values of every kind") {
  CHECK(value<std::uint32_t>("u32:5") == 5);
  CHECK(value<std::int64_t>("s64:-1") == -1);
  CHECK(value<float>("f32:1.5") == 1.5f);
  CHECK(value<double>("f64:-0.25") == -0.25);
  CHECK(value<std::uint64_t>("b64:0xfedcba9876543210") == 0xfedcba9876543210);
  CHECK(value<std::int8_t>("s8:-128") == -128);
  CHECK(value<std::uint16_t>("b16:0xffff") == 0xffff);
  CHECK(value<std::uint32_t>("f32:0x7fc00001") == 0x7fc00001);
  CHECK(value<std::int32_t>("s32:0xffffffff") == -1);
}

TEST_CASE("wrong values are refused with their text") {
  for (const char* text : {"u8:256", "s8:-129", "s8:128", "u32:-1", "u32:", "u32:5x", "f32:", "f32:a",
                           "f16:1", "u12:3", "what:1", "u32", "b64:0x1ffffffffffffffff"}) {
    INFO(text);
    CHECK_THROWS_WITH_AS(parse_argument(text), doctest::Contains(text), std::invalid_argument);
  }
}

TEST_CASE("textures and surfaces: what is wrong with one is told") {
  for (const char* text :
       {"texture:x", "texture:x:f32", "texture:x:f33:4", "texture:x:f32x3:4", "texture:x:f32:0",
        "texture:x:f32:4,4,4,4", "texture:x:f32:4:liner", "texture:x:f32:4,4,5:cube",
        "texture:x:f32:4:layered", "texture:x:f32:8:levels=2", "texture:x:f32:8,8,8:memory",
        "texture:x:f32:8:levels=18,normalized", "surface:x:u8:4:linear", "surface-out:x:u8:70000"}) {
    INFO(text);
    CHECK_THROWS_WITH_AS(parse_argument(text), doctest::Contains(text), std::invalid_argument);
  }
  const Argument line = parse_argument("surface-out:a:b.bin:u16x2:6,3:layered");
  REQUIRE(line.kind == Argument::Kind::texels);
  CHECK(line.texels.write_back == "a:b.bin");
  CHECK(line.texels.shape.width == 6);
  CHECK(line.texels.shape.height == 0);
  CHECK(line.texels.shape.depth == 3);
  CHECK(line.texels.texels.size() == 72);
}

TEST_CASE("buffers") {
  const Argument zeros = parse_argument("zeros:16");
  CHECK(zeros.kind == Argument::Kind::buffer);
  CHECK(zeros.size == 16);
  CHECK(zeros.bytes.empty());
  const Argument out = parse_argument("out:a:b:8");
  CHECK(out.write_back == "a:b");
  CHECK(out.size == 8);
  CHECK_THROWS_AS(parse_argument("out:x"), std::invalid_argument);
  CHECK_THROWS_AS(parse_argument("zeros:0"), std::invalid_argument);
  CHECK_THROWS_AS(parse_argument("zeros:99999999999999"), std::invalid_argument);
  CHECK_THROWS_AS(parse_argument("in:/no/such/file"), wedjat::traces::FormatError);
}

TEST_CASE("shapes") {
  std::uint32_t shape[3];
  parse_shape("64", shape);
  CHECK((shape[0] == 64 && shape[1] == 1 && shape[2] == 1));
  parse_shape("1,2,3", shape);
  CHECK((shape[0] == 1 && shape[1] == 2 && shape[2] == 3));
  for (const char* text : {"", "0", "1,", "1,2,3,4", "a", "4294967296", "-1"})
    CHECK_THROWS_AS(parse_shape(text, shape), std::invalid_argument);
}
