// Tools report of native code what they report of interpreted kernels.
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/utilities/kernels.h"
#include "tests/utilities/odd_kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/include/wedjat/tool.hpp"

using namespace wedjat;
using namespace wedjat::test;

namespace {

// Null, and said so, if there is no compiler.
std::shared_ptr<compile::Tier> native(std::uint32_t leave = 0) {
  auto tier =
      std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always, .leave = leave});
  if (const std::string missing = tier->missing(); !missing.empty()) {
    MESSAGE("no native code: " << missing);
    CHECK(!WEDJAT_HAS_COMPILER);
    return nullptr;
  }
  return tier;
}

// Of 64 words each, in both tiers: a product of matrices with rows of `width` threads.
const char* const product = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<8>; .reg .b32 %r<9>; .reg .f32 %f<5>; .reg .pred %p<3>;
  .shared .align 4 .f32 tile[256];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 15;
  shr.u32 %r3, %r1, 4;
  mul.wide.u32 %rd2, %r3, 64;
  add.s64 %rd2, %rd1, %rd2;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd3, %rd1, %rd3;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r4, 0;
LOOP:
  ld.global.f32 %f2, [%rd2];
  ld.global.f32 %f3, [%rd3];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s64 %rd2, %rd2, 4;
  add.s64 %rd3, %rd3, 64;
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 16;
@%p1 bra LOOP;
  mov.u32 %r5, tile;
  mad.lo.u32 %r5, %r1, 4, %r5;
  st.shared.f32 [%r5], %f1;
  bar.sync 0;
  ld.shared.f32 %f4, [%r5];
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.f32 [%rd5+4096], %f4;
  ret; })";

// Loads in a loop, between them a step that only its executor does and a load of some lanes; at last beyond
// all memory.
const char* const beyond = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<8>; .reg .b32 %r<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p2, %r1, 20;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r4, 0;
LOOP:
  ld.global.u32 %r2, [%rd1];
  ld.global.u32 %r3, [%rd1+64];
  activemask.b32 %r5;
  membar.gl;
@%p2 ld.global.u32 %r6, [%rd1+4];
  add.s64 %rd1, %rd1, 32;
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 1000000;
@%p1 bra LOOP;
  ret; })";

// Nothing but even loads, round after round, 9 times and `more` for each so many threads before: beyond the
// end of memory, or again and again from the beginning, or from where the rounds before ended.
std::string rounds(const char* threads_log, const char* more, const char* again, bool anew = true) {
  const std::string begin = "  mov.u64 %rd4, %rd3;\n  mov.u64 %rd5, %rd1;\n";
  return std::string(R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<8>; .reg .b32 %r<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 0;
  mov.u32 %r3, )") +
         more + R"(;
  shr.u32 %r7, %r1, )" +
         threads_log + R"(;
  mad.lo.u32 %r3, %r7, %r3, 9;
)" + (anew ? "AGAIN:\n" + begin : begin + "AGAIN:\n") +
         R"(
  mov.u32 %r4, 0;
LOOP:
  ld.global.u32 %r2, [%rd4];
  ld.global.u32 %r6, [%rd5+64];
  add.s64 %rd4, %rd4, 8;
  add.s64 %rd5, %rd5, %rd2;
  sub.s64 %rd5, %rd5, %rd2;
  add.s64 %rd5, %rd5, 4;
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, %r3;
@%p1 bra LOOP;
  st.global.u32 [%rd3], %r4;
  add.s32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, )" +
         again + R"(;
@%p2 bra AGAIN;
  ret; })";
}

const std::array<const char*, 15> tools = {"instruction_count,by=line",
                                           "opcode_histogram",
                                           "branch_divergence,depth=1",
                                           "memory_divergence",
                                           "bank_conflicts",
                                           "cache_model",
                                           "reuse_distance",
                                           "roofline",
                                           "memory_check",
                                           "memory_check,uninitialised=eager",
                                           "race_check",
                                           "sync_check",
                                           "first_nan",
                                           "beyond_allocations",
                                           "warp_timeline"};

struct Skipper : Tool {
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k))
      if (i.operation == WEDJAT_SUM) skip(i);
  }
};

struct Curious : Tool {
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k))
      if (i.operation == WEDJAT_SUM) before<&Curious::look>(i, WEDJAT_REGISTERS);
  }
  void look(const Event&) {}
};

}  // namespace

TEST_CASE("every tool reports the same of native code") {
  const auto whole = native(), left = native(5);
  if (whole == nullptr) return;
  std::vector<std::string> kernels = {strided(4),          strided(64), looping,   banks(4),    banks(128),
                                      banks(16, "v4.u32"), box_copy,    tile_load, generic_mix, product};
  for (const Odd& odd : odd_kernels()) kernels.push_back(odd.text);
  unsigned number = 0;
  for (const std::string& kernel : kernels)
    for (const char* tool : tools) {
      INFO(tool, " on ", kernel);
      Grid grid{.ctas = 3, .threads = ++number % 2 == 0 ? 256u : 45u, .launches = 2};
      const Watched expected = watch(kernel, {tool}, grid);
      grid.native = number % 3 == 0 ? left : whole;
      const Watched got = watch(kernel, {tool}, grid);
      CHECK(got.failure == expected.failure);
      CHECK(got.memory == expected.memory);
      CHECK(got.tools == expected.tools);
    }
}

TEST_CASE("a memory trace of native code is the same file, with any number of threads") {
  const auto whole = native(), left = native(5);
  if (whole == nullptr) return;
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  for (const std::string& kernel :
       {strided(4), strided(64), std::string(tile_load), std::string(box_copy), std::string(generic_mix),
        std::string(product), std::string(beyond), rounds("5", "0", "3"), rounds("5", "0x8000", "1"),
        rounds("3", "5", "2"), rounds("3", "1", "40"), rounds("5", "20", "40"), rounds("3", "0x8000", "1"),
        rounds("5", "0", "12", false), rounds("5", "3", "4", false)})
    for (const char* options : {"", "ctas=1-3,warps=0-1,", "spaces=all,"}) {
      INFO(options, " on ", kernel);
      Grid grid{.ctas = 5, .threads = *options != 0 ? 256u : 77u, .launches = 2};
      const auto traced = [&] {
        const Watched watched = watch(
            kernel, {"memory_trace," + std::string(options) + "file=" + file, "instruction_count"}, grid);
        if (kernel == beyond) CHECK_FALSE(watched.failure.empty());
        std::ifstream in(file, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
      };
      const std::string expected = traced();
      CHECK(expected.size() > 100);
      for (const auto& tier : {whole, left}) {
        grid.native = tier;
        grid.host_threads = tier == left ? 3 : 1;
        CHECK(traced() == expected);
      }
    }
  std::remove(file.c_str());
}

TEST_CASE("native code of a loop whose differences are sums of sums of themselves is made in little time") {
  const auto tier = native();
  if (tier == nullptr) return;
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  std::string sums = "add.s64 %rd4, %rd3, %rd3;\n";
  for (int i = 0; i < 29; ++i) sums += "add.s64 %rd4, %rd4, %rd4;\n";
  const std::string kernel = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<8>; .reg .b32 %r<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %ctaid.x;
  cvt.u64.u32 %rd3, %r1;
  mov.u32 %r4, 0;
LOOP:
)" + sums + R"(add.s64 %rd1, %rd1, %rd4;
  ld.global.u32 %r2, [%rd1];
  add.s64 %rd1, %rd1, 4;
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 40;
@%p1 bra LOOP;
  ret; })";
  Grid grid{.launches = 2};
  const auto traced = [&] {
    watch(kernel, {"memory_trace,file=" + file}, grid);
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string expected = traced();
  grid.native = tier;
  CHECK(traced() == expected);
  std::remove(file.c_str());
}

TEST_CASE("several tools that watch different warps and CTAs of native code") {
  const auto tier = native();
  if (tier == nullptr) return;
  const std::vector<std::string> specs = {"instruction_count,warps=0-1", "opcode_histogram,ctas=1-2",
                                          "memory_divergence,sample=2", "memory_check,warps=1-3"};
  for (const std::string& kernel : {std::string(product), strided(4), std::string(looping)}) {
    Grid grid{.ctas = 5, .threads = 160};
    const Watched expected = watch(kernel, specs, grid);
    grid.native = tier;
    CHECK(watch(kernel, specs, grid).tools == expected.tools);
  }
}

TEST_CASE("functions of tools do the same inlined, called, and in the interpreter") {
  const auto whole = native(), left = native(3);
  if (whole == nullptr) return;
  for (const std::string& kernel :
       {strided(4), strided(36), strided(1), std::string(product), std::string(looping)})
    for (const std::uint32_t threads : {256u, 45u}) {
      Grid grid{.ctas = 3, .threads = threads};
      const std::string options = ",values=1";
      const Watched expected = watch(kernel, {WEDJAT_MY_LINES + options}, grid);
      const Watched counted = watch(kernel, {"memory_divergence"}, grid);
      if (kernel != strided(1))  // misaligned: the kernel fails
        CHECK(expected.cell("lines", "lines") == counted.cell("global memory", "lines"));
      for (const auto& tier : {whole, left})
        for (const char* tool : {WEDJAT_MY_LINES, WEDJAT_MY_LINES_CALLED}) {
          INFO(tool);
          grid.native = tier;
          CHECK(watch(kernel, {tool + options}, grid).tools == expected.tools);
        }
    }
}

TEST_CASE("why there is no native code is said") {
  const auto tier = native();
  if (tier == nullptr) return;
  const wedjat_tool* const skipper =
      Tool::describe<Skipper>("skipper", "leaves out additions", "", WEDJAT_MUTATES);
  const Watched expected = watch(strided(4), {}, {}, skipper);
  CHECK(watch(strided(4), {}, {.native = tier}, skipper).memory == expected.memory);
  REQUIRE(tier->reports().size() == 1);
  CHECK(tier->reports()[0].failures == std::set<std::string>{"a tool carries out instructions of it"});
  const auto other = native();
  watch(strided(4), {}, {.native = other}, Tool::describe<Curious>("curious", "looks at registers"));
  REQUIRE(other->reports().size() == 1);
  CHECK(other->reports()[0].left_at.contains("add.s32 (a tool looks at any register)"));
}
