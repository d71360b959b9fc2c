// Loops that ptxas unrolls: any number of iterations runs, and which sums are fused is the hardware's choice.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "emulator/device/device.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;

// v = (v + c) * a until the counter compares no more with the bound; then v and the counter are stored.
std::string loop(const std::string& compare, int step) {
  return fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 start, .param .u32 bound) {{
  .reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .f32 %v<2>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [start];
  ld.param.u32 %r2, [bound];
  mov.f32 %v1, 0f3F000000;
again:
  add.f32 %v1, %v1, 0f3DCCCCCD;
  mul.f32 %v1, %v1, 0f3F7D70A4;
  add.s32 %r1, %r1, {};
  setp.{}.s32 %p1, %r1, %r2;
  @%p1 bra again;
  st.global.f32 [%rd1], %v1;
  st.global.u32 [%rd1+4], %r1;
  ret; }})",
                     step, compare);
}

struct Result {
  float value;
  std::int32_t counter;
};

Result run(const std::string& text, std::int32_t start, std::int32_t bound) {
  device::Device device({.threads = 1, .launch_limits = {.step_limit = 1000}});
  device::Module* module = device.load_module({{"loop.ptx", text}}, {});
  device.allocate_at(buffer, sizeof(Result), "out");
  std::vector<std::byte> parameters(16);
  std::memcpy(parameters.data(), &buffer, 8);
  std::memcpy(parameters.data() + 8, &start, 4);
  std::memcpy(parameters.data() + 12, &bound, 4);
  device.launch(device.function(module, "k"), {}, parameters);
  Result result;
  device.read(buffer, std::as_writable_bytes(std::span(&result, 1)));
  return result;
}

// Rounds of four, two and one: the first sum of a round is by itself, the others are fused with the product
// before them.
float expected(int iterations) {
  const float c = 0.1f, a = 0.99f;
  float sum = 0, value = 0.5f;
  while (iterations > 0) {
    const int round = iterations >= 4 ? 4 : iterations >= 2 ? 2 : 1;
    for (int i = 0; i < round; ++i) {
      sum = i == 0 ? value + c : std::fma(sum, a, c);
      value = sum * a;
    }
    iterations -= round;
  }
  return value;
}

}  // namespace

TEST_CASE("any number of iterations, in rounds of four, two and one") {
  for (int n = 1; n <= 23; ++n) {
    CAPTURE(n);
    const Result up = run(loop("lt", 3), -5, -5 + 3 * n - 1), down = run(loop("ge", -2), 9, 9 - 2 * (n - 1)),
                 equal = run(loop("ne", 4), 0, 4 * n);
    CHECK(up.value == expected(n));
    CHECK(up.counter == -5 + 3 * n);
    CHECK(down.value == expected(n));
    CHECK(down.counter == 9 - 2 * n);
    CHECK(equal.value == expected(n));
    CHECK(equal.counter == 4 * n);
  }
}

TEST_CASE("a loop that is over at once, and bounds near the ends of the range") {
  CHECK(run(loop("lt", 1), 7, 3).counter == 8);
  CHECK(run(loop("gt", -1), 3, 7).counter == 2);
  CHECK(run(loop("lt", 5), INT32_MAX - 12, INT32_MAX - 5).counter == INT32_MAX - 2);
  CHECK(run(loop("gt", -5), INT32_MIN + 12, INT32_MIN + 4).counter == INT32_MIN + 2);
}
