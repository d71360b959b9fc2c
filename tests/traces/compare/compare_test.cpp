// Pairs of kernels with the same inputs.
#include "traces/compare/compare.h"

#include <array>

#include "emulator/device/error.h"
#include "tests/traces/extract/launched.h"
#include "tests/traces/extract/mixed.h"

using namespace wedjat::traces;

namespace {

constexpr std::uint64_t in = 0x7e5500000000, out = 0x7e5500200000;

// A kernel of one warp: %d0 is the address of 64 floats, %d1 that of the results, %d2 and %d3 those of the
// thread (8 bytes in, 4 bytes out).
std::string kernel(const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {\n"
         ".reg .b64 %d<8>;\n.reg .b32 %r<40>, %f<80>;\n.reg .b16 %h<8>;\n.reg .pred %p<4>;\n.shared .b32 "
         "s[64];\n"
         "ld.param.u64 %d0, [p];\nld.param.u64 %d1, [q];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d2, %r0, 8;\n"
         "add.u64 %d2, %d0, %d2;\nmul.wide.u32 %d3, %r0, 4;\nadd.u64 %d3, %d1, %d3;\n" +
         body + "\nret;\n}\n";
}

Bundle launched(const std::string& body, float first = 1.1f) {
  std::array<float, 64> values{};
  float value = first;
  for (float& one : values) one = value = value * -1.37f + 0.71f;
  for (float& one : values) one = 1.0f + one / 3e8f;
  wedjat::device::LaunchConfig config;
  config.block[0] = 32;
  return test::launched(kernel(body), config,
                        {{in, test::contents_of(values)}, {out, std::vector<std::byte>(4096)}});
}

Comparison compared(const std::string& a, const std::string& b) {
  return compare(launched(a), launched(b), {}, 1);
}

// The sum of all 64, by one thread, from the first or from the last.
std::string sum_in_order(bool forwards) {
  std::string text = "mov.f32 %f0, 0f00000000;\n";
  for (int i = 0; i < 64; ++i)
    text += "ld.global.f32 %f1, [%d0+" + std::to_string(4 * (forwards ? i : 63 - i)) +
            "];\nadd.rn.f32 %f0, %f0, %f1;\n";
  return text + "st.global.f32 [%d3], %f0;";
}

// By all lanes, each its two, then by shuffles.
const std::string sum_by_shuffles = [] {
  std::string text = "ld.global.v2.f32 {%f1, %f2}, [%d2];\nadd.rn.f32 %f0, %f1, %f2;\n";
  for (int step = 16; step > 0; step /= 2)
    text += "shfl.sync.bfly.b32 %r1, %f0, " + std::to_string(step) +
            ", 31, 0xffffffff;\nadd.rn.f32 %f0, %f0, %r1;\n";
  return text + "st.global.f32 [%d3], %f0;";
}();

const std::string sum_in_shared = R"(
  ld.global.v2.f32 {%f1, %f2}, [%d2];
  mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r2, %r2, %r1;
  add.rn.f32 %f1, %f2, %f1; st.shared.f32 [%r2], %f1; bar.sync 0;
  mov.u32 %r2, s; mov.f32 %f0, 0f00000000; mov.u32 %r3, 32;
LOOP: ld.shared.f32 %f3, [%r2]; add.rn.f32 %f0, %f0, %f3; add.u32 %r2, %r2, 4; sub.u32 %r3, %r3, 1;
  setp.ne.u32 %p0, %r3, 0; @%p0 bra LOOP;
  st.global.f32 [%d3], %f0;)";

const std::string sum_by_atomics = R"(
  ld.global.v2.f32 {%f1, %f2}, [%d2]; red.global.add.f32 [%d1], %f1; red.global.add.f32 [%d1], %f2;)";

}  // namespace

TEST_CASE("the same kernel leaves the same bits") {
  const Comparison found = compared(sum_by_shuffles, sum_by_shuffles);
  CHECK(found.equality == Equality::bits);
  CHECK(found.differing == 0);
  CHECK_FALSE(found.first.has_value());
}

TEST_CASE("sums in another order are the same but for rounding") {
  const std::string forwards = sum_in_order(true);
  for (const std::string& other : {sum_in_order(false), sum_by_shuffles, sum_in_shared}) {
    const Comparison found = compared(forwards, other);
    INFO(other);
    CHECK(found.equality == Equality::rounding);
    CHECK(found.rounded == 32);
    CHECK(found.largest > 0);
    CHECK(found.largest < 1e-5);
    REQUIRE(found.first.has_value());
    CHECK(found.first->address == out);
    CHECK(found.first->memory == "buffer 1");
  }
}

TEST_CASE("atomic additions sum exactly too") {
  const std::string one_thread = "setp.ne.u32 %p1, %r0, 0;\n@%p1 ret;\n" + sum_in_order(true);
  const Comparison found = compared(one_thread, sum_by_atomics);
  for (const std::string& form : found.not_followed) FAIL_CHECK(form);
  CHECK((found.equality == Equality::rounding || found.equality == Equality::bits));
  CHECK(found.different == 0);
  const std::string twice = sum_by_atomics + "red.global.add.f32 [%d1], %f2;";
  CHECK(compared(one_thread, twice).equality == Equality::different);
}

TEST_CASE("a product and a sum are the same as both at once") {
  const std::string load = "ld.global.v2.f32 {%f1, %f2}, [%d2];\n", store = "st.global.f32 [%d3], %f0;";
  const std::string apart = load + "mul.rn.f32 %f0, %f1, %f2;\nadd.rn.f32 %f0, %f0, %f1;\n" + store;
  const std::string fused = load + "fma.rn.f32 %f0, %f1, %f2, %f1;\n" + store;
  const std::string factored = load + "add.rn.f32 %f2, %f2, 0f3F800000;\nmul.rn.f32 %f0, %f2, %f1;\n" + store;
  CHECK(compared(apart, fused).equality == Equality::rounding);
  CHECK(compared(apart, factored).equality == Equality::rounding);
  const std::string other = load + "fma.rn.f32 %f0, %f1, %f1, %f2;\n" + store;
  const Comparison found = compared(fused, other);
  CHECK(found.equality == Equality::different);
  CHECK(found.different != 0);
  // Limited to 1: not what a sum and a product say.
  const std::string limited = load + "fma.rn.sat.f32 %f0, %f1, %f2, %f1;\n" + store;
  CHECK(compared(fused, limited).equality == Equality::different);
}

TEST_CASE("packed numbers, and functions of numbers that are rounded otherwise") {
  const std::string load =
      "ld.global.v2.f32 {%f1, %f2}, [%d2];\ncvt.rn.f16x2.f32 %r1, %f1, %f2;\n"
      "cvt.rn.f16x2.f32 %r2, %f2, 0f3EAAAAAB;\ncvt.rn.f16x2.f32 %r3, 0f3DCCCCCD, %f1;\n";
  const std::string left =
      load + "add.rn.f16x2 %r4, %r1, %r2;\nadd.rn.f16x2 %r4, %r4, %r3;\nst.global.b32 [%d3], %r4;";
  const std::string right = load +
                            "add.rn.f16x2 %r4, %r3, %r2;\nadd.rn.f16x2 %r4, %r1, %r4;\n"
                            "mov.b32 {%h0, %h1}, %r4;\nmov.b32 %r5, {%h0, %h1};\nst.global.b32 [%d3], %r5;";
  const Comparison packed = compared(left, right);
  CHECK(packed.different == 0);
  const std::string sum = "ld.global.v2.f32 {%f1, %f2}, [%d2];\nmov.f32 %f3, 0f3DCCCCCD;\n";
  const std::string a = sum +
                        "add.rn.f32 %f0, %f1, %f2;\nadd.rn.f32 %f0, %f0, %f3;\nsqrt.rn.f32 %f0, "
                        "%f0;\nst.global.f32 [%d3], %f0;";
  const std::string b = sum +
                        "add.rn.f32 %f0, %f2, %f3;\nadd.rn.f32 %f0, %f0, %f1;\nsqrt.rn.f32 %f0, "
                        "%f0;\nst.global.f32 [%d3], %f0;";
  CHECK(compared(a, b).different == 0);
  const std::string c =
      sum +
      "add.rn.f32 %f0, %f2, %f3;\nadd.rn.f32 %f0, %f0, %f1;\nneg.f32 %f0, %f0;\nst.global.f32 [%d3], %f0;";
  CHECK(compared(a, c).equality == Equality::different);
}

TEST_CASE("decisions on rounded values are counted") {
  const std::string choose =
      sum_in_order(true) + "setp.gt.f32 %p0, %f0, 0f00000000;\n@%p0 st.global.f32 [%d3+128], %f0;";
  CHECK(compared(choose, choose).decisions == 2);
}

TEST_CASE("what is not followed is told, and nothing is claimed") {
  const std::string load = "ld.global.v2.f32 {%f1, %f2}, [%d2];\nadd.rn.f32 %f3, %f1, %f2;\n";
  const std::string product =
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f4, %f5, %f6, %f7}, {%f1, %f2, %f1, %f2}, {%f1, "
      "%f2}, "
      "{%f3, %f3, %f3, %f3};\n";
  const std::string a = load + product + "st.global.f32 [%d3], %f4;";
  const std::string b = load + "add.rn.f32 %f3, %f3, %f1;\n" + product + "st.global.f32 [%d3], %f4;";
  const Comparison found = compared(a, b);
  CHECK(found.equality == Equality::undecided);
  REQUIRE(found.not_followed.size() == 1);
  CHECK(found.not_followed[0].find("mma") != std::string::npos);
}

TEST_CASE("launches with other inputs are refused, and other programs see the same memory") {
  CHECK_THROWS_WITH_AS(compare(launched(sum_by_shuffles), launched(sum_by_shuffles, 2.0f), {}, 1),
                       doctest::Contains("other inputs"), wedjat::device::Refused);
  const Bundle first = launched(sum_by_shuffles);
  const auto other = [&](const std::string& body) {
    return with_ptx(first, {"other.ptx", kernel(body)}, "k", first.config, {});
  };
  CHECK(compare(first, other(sum_in_order(true)), {}, 1).equality == Equality::rounding);
  CHECK_THROWS_WITH_AS(other("ld.global.f32 %f0, [%d1+2048];\nst.global.f32 [%d3], %f0;"),
                       doctest::Contains("reads 4 bytes at 0x7e5500200800"), wedjat::device::Refused);
}

TEST_CASE("texels that a kernel stores are compared, by their bits") {
  const Bundle a = test::mixed_launch();
  Bundle b = a;
  const Comparison same = compare(a, b, {}, 1);
  CHECK(same.equality == Equality::bits);
  CHECK(same.bytes >= 64);
  std::string& text = b.sources.at(0).text;
  text.replace(text.find("{%r6, %r1}], %r3"), 16, "{%r6, %r1}], %r6");
  const Comparison other = compare(a, b, {}, 1);
  CHECK(other.equality == Equality::undecided);
  CHECK(other.differing != 0);
  CHECK(other.not_followed.at(0).starts_with("texels of array "));
}

TEST_CASE("memory of more bytes than are allowed at once is refused") {
  const Bundle launch = launched(sum_by_shuffles);
  ReplayOptions options;
  options.memory_limit = 4096 + 64 * 4;
  CHECK(compare(launch, launch, options, 1).bytes == 4096 + 64 * 4);
  options.memory_limit -= 1;
  CHECK_THROWS_WITH_AS(
      compare(launch, launch, options, 1),
      doctest::Contains("4352 bytes of memory to compare, and 4351 are allowed (--memory-limit)"),
      wedjat::device::Refused);
}
