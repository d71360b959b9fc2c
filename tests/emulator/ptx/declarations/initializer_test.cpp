// Initial values (PTX ISA 5.4.4) to bytes and relocations.
#include <cstring>
#include <numeric>

#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

namespace {

/// The initial bytes of v as T; v is the last variable of text.
template <class T>
std::vector<T> values(const std::string& text) {
  const auto module = parse(text);
  const Variable& variable = module->variables.back();
  std::vector<T> out(variable.data.size() / sizeof(T));
  std::memcpy(out.data(), variable.data.data(), out.size() * sizeof(T));
  return out;
}
using Ints = std::vector<std::int32_t>;
using Floats = std::vector<float>;

}  // namespace

TEST_CASE("scalars and lists") {
  CHECK(values<std::int32_t>(".global .s32 v = -42;") == Ints{-42});
  CHECK(values<std::int32_t>(".global .s32 v[] = { 2, -3, 0x5 };") == Ints{2, -3, 5});
  CHECK(values<std::int32_t>(".global .s32 v[3] = { 1<<4, (2+3)*2, ~0 };") == Ints{16, 10, -1});
  CHECK(values<std::uint8_t>(".global .b8 v[4] = { 300, -1, 255, 256 };") ==
        std::vector<std::uint8_t>{44, 255, 255, 0});
  CHECK(values<float>(".const .f32 v[8] = { 0.33, 0.25, -0.125 };") == Floats{0.33f, 0.25f, -0.125f});
  CHECK(values<double>(".global .f64 v = 0d3FF0000000000000;") == std::vector<double>{1.0});
  CHECK(values<std::uint32_t>(".global .f32 v[2] = { 0f7f800001, 1e39 };") ==
        std::vector<std::uint32_t>{0x7f800001, 0x7f800000});
  CHECK(parse(".global .s32 v[] = { 2, 3, 5 };")->variables.back().extents == std::vector<std::uint64_t>{3});
  CHECK(parse(".const .f32 v[8] = { 1.0 };")->variables.back().size() == 32);
}

TEST_CASE("nested lists and vectors") {
  CHECK(values<std::int32_t>(".global .s32 v[3][2] = { {1,2}, {3} };") == Ints{1, 2, 3});
  CHECK(values<std::int32_t>(".global .s32 v[2][2] = { {1}, {3, 4} };") == Ints{1, 0, 3, 4});
  const auto open = parse(".global .f32 v[][3] = {{.05,.1,.05},{.1,.4,.1}};");
  CHECK(open->variables.back().extents == std::vector<std::uint64_t>{2, 3});
  CHECK(values<float>(".global .v4 .f32 v = {1.0,2.0,3.0,4.0};") == Floats{1, 2, 3, 4});
  CHECK(values<std::int32_t>(".global .v2 .u32 v[2] = { {1,2}, {3,4} };") == Ints{1, 2, 3, 4});
}

TEST_CASE("addresses") {
  const auto module = parse(
      ".global .u32 a[4]; .func f() { ret; }\n"
      ".global .u64 v[4] = { a+4, generic(a)+8, f, 7 };");
  const auto& relocations = module->variables.back().relocations;
  REQUIRE(relocations.size() == 3);
  CHECK(relocations[0].symbol == "a");
  CHECK(relocations[0].addend == 4);
  CHECK(!relocations[0].generic);
  CHECK(relocations[1].offset == 8);
  CHECK(relocations[1].addend == 8);
  CHECK(relocations[1].generic);
  CHECK(relocations[2].symbol == "f");
  CHECK(relocations[2].size == 8);
  CHECK(std::to_integer<int>(module->variables.back().data[24]) == 7);
}

TEST_CASE("masks") {
  const auto module =
      parse(".global .u32 a; .global .u8 v[3] = { 0xff(a), 0xff00(generic(a)+4), 0xFF00(131187) };");
  const auto& variable = module->variables.back();
  REQUIRE(variable.relocations.size() == 2);
  CHECK(variable.relocations[0].mask == 0xff);
  CHECK(variable.relocations[1].mask == 0xff00);
  CHECK(variable.relocations[1].generic);
  CHECK(variable.relocations[1].addend == 4);
  CHECK(std::to_integer<int>(variable.data[2]) == 0);
  CHECK(values<std::uint8_t>(".global .u8 v = 0xFF(1000 + 546);") == std::vector<std::uint8_t>{10});
}

TEST_CASE("sampler properties") {
  const auto module =
      Module::parse("t.ptx",
                    ".version 9.0\n.target sm_90, texmode_independent\n.address_size 64\n"
                    ".global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };");
  const auto& properties = module->variables.back().properties;
  REQUIRE(properties.size() == 2);
  CHECK(properties[0].first == "addr_mode_0");
  CHECK(properties[1].second == "nearest");
}

TEST_CASE("refused initial values") {
  for (const char* text : {".global .u32 v[2] = {1,2,3};",
                           ".global .s32 v[3][2] = { 1,2,3,4 };",
                           ".global .s32 v[2][2] = { {1,2,3} };",
                           ".global .s32 v[2] = 5;",
                           ".global .s32 v = {5};",
                           ".global .s32 v[2] = {1,};",
                           ".global .s32 v[2] = {{1},{2}};",
                           ".global .v2 .s32 v[2] = {1,2,3,4};",
                           ".global .s32 v[] = {};",
                           ".global .f32 v = 1;",
                           ".global .u32 v = 1.5;",
                           ".global .u64 v = nowhere;",
                           ".global .u32 a; .global .u8 v = a;",
                           ".global .u32 a; .global .f64 v = a;",
                           ".global .u32 a; .global .u64 v = a-4;",
                           ".global .u32 a; .global .u64 v = 4+a;",
                           ".global .u8 v = 0xf0(3);",
                           ".extern .global .u32 v = 3;",
                           ".global .f16 v = 1.0;",
                           ".global .b128 v = 1;",
                           ".global .u8 v = 0x0(1);",
                           ".global .u64 v[1000000000][1000000000] = { {1}, {2} };"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("long tables of numbers take the fast way and give the same bytes") {
  std::string plain = ".global .u32 v[] = { ", grammar = ".global .u32 v[] = { ";
  constexpr std::uint32_t count = 10000;
  for (std::uint32_t i = 0; i < count; ++i) {
    plain += (i != 0 ? ", " : "") + std::to_string(i * 2654435761u);
    grammar += (i != 0 ? ", (" : "(") + std::to_string(i * 2654435761u) + ")";
  }
  CHECK(values<std::uint32_t>(plain + "};") == values<std::uint32_t>(grammar + "};"));
  CHECK(values<std::uint32_t>(plain + "};").size() == count);
  CHECK(values<std::uint32_t>(".global .u32 v[] = { 1, /* two */ 2 };") == std::vector<std::uint32_t>{1, 2});
}
