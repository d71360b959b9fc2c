// NaNs on their way through native code: what is stored is what the interpreter stores.
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/device.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t buffer = 0x7f0000000000;
constexpr std::uint32_t threads = 256;

// A sum that begins as memory has it runs through a loop and a choice, alone and beside others; what it was
// in each round is stored only if the second parameter says so, what it is in the end always. So is what a
// compiler may compute itself: a product with one, and infinities that it knows.
std::string text(const std::string& type, const std::string& bits, unsigned size,
                 const std::string& rounding = "rn") {
  const bool wide = size == 8;
  const auto put = [&](std::string line) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"TYPE", type},
                                   {"BITS", bits},
                                   {"SIZE", std::to_string(size)},
                                   {"ROUND", rounding},
                                   {"ONE", wide ? "0d3ff0000000000000" : "0f3f800000"},
                                   {"INFINITY", wide ? "0d7ff0000000000000" : "0f7f800000"}})
      for (std::size_t at; (at = line.find(from)) != std::string::npos;) line.replace(at, from.size(), to);
    return line;
  };
  return put(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 rounds, .param .u32 all) {
  .reg .b64 %rd<6>; .reg .b32 %r<8>; .reg .BITS %v<10>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [rounds];
  ld.param.u32 %r2, [all];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, 128;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.BITS %v1, [%rd3];
  ld.global.BITS %v2, [%rd3+SIZE];
  mov.BITS %v3, %v1;
again:
  ld.global.BITS %v4, [%rd3+2*SIZE];
  fma.ROUND.TYPE %v1, %v4, %v2, %v1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra hidden;
  st.global.BITS [%rd3+3*SIZE], %v1;
hidden:
  add.ROUND.TYPE %v3, %v3, %v1;
  and.b32 %r4, %r1, 1;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 bra even;
  mul.ROUND.TYPE %v3, %v3, %v2;
  bra next;
even:
  neg.TYPE %v3, %v3;
next:
  mul.ROUND.TYPE %v5, %v3, %v4;
  sub.ROUND.TYPE %v6, %v5, %v1;
  sqrt.ROUND.TYPE %v6, %v6;
  add.s32 %r1, %r1, -1;
  setp.gt.s32 %p3, %r1, 0;
  @%p3 bra again;
  st.global.BITS [%rd3+4*SIZE], %v1;
  st.global.BITS [%rd3+5*SIZE], %v3;
  st.global.BITS [%rd3+6*SIZE], %v5;
  st.global.BITS [%rd3+7*SIZE], %v6;
  mul.ROUND.TYPE %v7, %v2, ONE;
  st.global.BITS [%rd3+8*SIZE], %v7;
  and.b32 %r4, %r3, 1;
  setp.eq.u32 %p2, %r4, 0;
  mov.BITS %v8, INFINITY;
  neg.TYPE %v9, %v8;
  selp.BITS %v7, %v8, %v9, %p2;
  add.ROUND.TYPE %v7, %v7, %v9;
  st.global.BITS [%rd3+9*SIZE], %v7;
  ret;
})");
}

template <class T>
std::vector<T> run(const std::string& ptx, const std::vector<T>& samples, std::uint32_t rounds,
                   std::uint32_t all, std::shared_ptr<compile::Tier> tier) {
  device::Device device({.threads = 1, .native = std::move(tier)});
  device::Module* module = device.load_module({{"nans.ptx", ptx}}, {});
  std::vector<T> memory(threads * 128 / sizeof(T));
  for (std::size_t t = 0; t < threads; ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t pick = i == 0 ? t : i == 1 ? t / samples.size() : t / samples.size() / 3 + t;
      memory[t * 128 / sizeof(T) + i] = samples[pick % samples.size()];
    }
  device.allocate_at(buffer, threads * 128, "out");
  device.write(buffer, std::as_bytes(std::span(memory)));
  std::vector<std::byte> parameters(16);
  std::memcpy(parameters.data(), &buffer, 8);
  std::memcpy(parameters.data() + 8, &rounds, 4);
  std::memcpy(parameters.data() + 12, &all, 4);
  for (int i = 0; i < 2; ++i)
    device.launch(device.function(module, "k"), {.grid = {1, 1, 1}, .block = {threads, 1, 1}}, parameters);
  device.read(buffer, std::as_writable_bytes(std::span(memory)));
  return memory;
}

template <class T>
void compare(const std::string& ptx, const std::vector<T>& samples) {
  for (const char* features : {"", "-avx512f", "-avx512f,-avx2,-avx,-fma"}) {
    const auto tier = std::make_shared<compile::Tier>(
        compile::TierOptions{.when = compile::When::always, .features = features});
    if (!tier->missing().empty()) {
      CHECK(!WEDJAT_HAS_COMPILER);
      return;
    }
    CAPTURE(features);
    for (const std::uint32_t rounds : {1u, 2u, 7u})
      for (const std::uint32_t all : {0u, 1u})
        CHECK(run(ptx, samples, rounds, all, tier) == run(ptx, samples, rounds, all, nullptr));
  }
}

}  // namespace

TEST_CASE("NaNs of any payload and sign, infinities, zeros in sums of 32 bits") {
  compare<std::uint32_t>(text("f32", "b32", 4),
                         {0x7fc00000, 0xffc00001, 0x7f800001, 0xff923456, 0x7fffffff, 0x7f800000, 0xff800000,
                          0, 0x80000000, 0x3f800000, 0xc0490fdb});
}
TEST_CASE("and of 64 bits") {
  compare<std::uint64_t>(text("f64", "b64", 8),
                         {0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001, 0xfff1234567890abc,
                          0x7fffffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0, 0x8000000000000000,
                          0x3ff0000000000000, 0xc00921fb54442d18});
}
TEST_CASE("and of 64 bits that are rounded to zero") {
  compare<std::uint64_t>(text("f64", "b64", 8, "rz"),
                         {0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001, 0xfff1234567890abc,
                          0x7ff0000000000000, 0xfff0000000000000, 0, 0x8000000000000000, 0x3ff0000000000000,
                          0x3ff0000000000001, 0xc00921fb54442d18});
}
TEST_CASE("and of 64 bits where hardly any lane has one") {
  std::vector<std::uint64_t> samples(45);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 0x3ff0000000000000 + i * 0x0004321012345678;
  samples[17] = 0xfff1234567890abc;
  compare<std::uint64_t>(text("f64", "b64", 8), samples);
}
