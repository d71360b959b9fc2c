// Kernels that compilers seldom write: code that cannot run, nothing at all, far too much.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace wedjat::test {

struct Odd {
  std::string name;
  std::string text;
  std::uint64_t warp_instructions;  // of one warp, counted by hand
  std::string failure;              // that the launch ends with
  std::set<std::string> opcodes;    // of what can run
};

inline std::string repeated(const char* text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

inline const std::string entry =
    ".visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<3>; ";

inline std::vector<Odd> odd_kernels() {
  return {
      {"nothing at all", ".visible .entry k(.param .u64 p) { }", 0, "", {}},
      {"only trap", entry + "trap; }", 1, "trap", {"trap"}},
      {"a store across the end of all addresses",
       entry + "mov.u32 %r1, 1019; st.shared.u32 [%r1], %r1; }",
       2,
       "misaligned access",
       {"mov", "st"}},
      {"a copy of no bytes to and from nowhere",
       entry + "mov.u64 %d1, 0; cp.async.ca.shared.global [%d1], [%d1], 0; }",
       2,
       "cp.async copies 4, 8 or 16 bytes",
       {"mov", "cp"}},
      {"a block that is jumped over",
       entry + "bra L; mov.u32 %r1, 1; st.global.u32 [%d1], %r1; L: ret; }",
       2,
       "",
       {"bra", "ret"}},
      {"code after ret", entry + "ret; mov.u32 %r1, 1; ret; }", 1, "", {"ret"}},
      {"a loop nobody enters",
       entry + "mov.u32 %r1, %tid.x; bra E; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L; E: "
               "ret; }",
       3,
       "",
       {"mov", "bra", "ret"}},
      {"nothing but a fence",
       ".visible .entry k(.param .u64 p) { membar.gl; bra L; L: ret; }",
       3,
       "",
       {"membar", "bra", "ret"}},
      {"a loop whose copies are contracted, each in its own way",
       entry + ".reg .f32 %f<8>; ld.param.u64 %d1, [p]; ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, "
               "[%d1+4]; mov.u32 %r1, 0; "
               "L: ld.global.f32 %f4, [%d1+16]; add.f32 %f5, %f1, %f4; mul.f32 %f1, %f5, %f2; add.u64 %d1, "
               "%d1, 16; "
               "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 7; @%p1 bra L; st.global.f32 [%d1], %f1; ret; }",
       4 + 7 * 7 + 2,
       "",
       {"ld", "mov", "add", "mul", "setp", "bra", "st", "ret"}},
      {"a trap that no thread meets",
       entry + "mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5000; @%p1 bra T; ret; T: trap; exit; }",
       4,
       "",
       {"mov", "setp", "bra", "ret", "trap"}},
      {"an indexed branch between dead blocks",
       entry +
           "mov.u32 %r1, 0; ts: .branchtargets A, B; brx.idx %r1, ts; add.u32 %r1, %r1, 1; A: ret; B: ret; }",
       3,
       "",
       {"mov", "brx", "ret"}},
      {"a copy of 4 GB between two that run",
       entry + ".shared .align 16 .b8 s[512]; ld.param.u64 %d1, [p]; mov.u32 %r1, s; mov.u32 %r2, %tid.x; "
               "cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.ca.shared.global [%r1], [%d1], "
               "4294967295; ret; }",
       6,  // the block that fails is counted to its end
       "cp.async copies 4, 8 or 16 bytes",
       {"ld", "mov", "cp", "ret"}},
      {"a function that is never called",
       ".func f() { .reg .b32 %r<2>; mov.u32 %r1, 1; ret; } " + entry + "ret; }",
       1,
       "",
       {"ret"}},
      {"a function that only dead code calls",
       ".func f() { .reg .b32 %r<2>; mov.u32 %r1, 1; ret; } " + entry + "bra L; call f; L: ret; }",
       2,
       "",
       {"bra", "ret"}},
      {"dead code in a function",
       ".func f(.param .b32 a) { .reg .b32 %r<3>; ret; mov.u32 %r1, 1; ret; } " + entry +
           "{ .param .b32 a; st.param.b32 [a], 5; call f, (a); } ret; }",
       4,
       "",
       {"st", "call", "ret"}},
      {"calls through a pointer",
       ".func (.reg .b32 y) f(.reg .b32 x) { add.u32 y, x, 1; ret; } .func (.reg .b32 y) g(.reg .b32 x) { "
       "add.u32 y, x, 2; ret; } "
       ".global .u64 table[2] = {f, g}; " +
           entry +
           "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.u32 %r1, 7; ld.global.u64 %d1, "
           "[table+8]; "
           "call (%r2), %d1, (%r1), proto; ret; }",
       6,
       "",
       {"mov", "ld", "call", "add", "ret"}},
      {"a function that calls itself",
       ".func (.reg .b32 y) f(.reg .b32 x) { .reg .pred %q; .reg .b32 %s; mov.u32 y, x; setp.eq.u32 %q, x, "
       "0; @%q ret; "
       "sub.u32 %s, x, 1; call (y), f, (%s); ret; } " +
           entry + "call (%r1), f, (3); ret; }",
       1 + 4 * 3 + 3 * 3 + 1,
       "",
       {"call", "mov", "setp", "ret", "sub"}},
      {"a block of 100,000 instructions",
       entry + "mov.u32 %r1, %tid.x; " + repeated("add.u32 %r1, %r1, %r1; ", 100000) + "ret; }",
       100002,
       "",
       {"mov", "add", "ret"}},
  };
}

}  // namespace wedjat::test
