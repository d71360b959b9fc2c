// Every tool on kernels that compilers seldom write: code that cannot run, nothing at all, far too much.
#include <filesystem>
#include <set>

#include "emulator/hooks/session/library.h"
#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

struct Odd {
  std::string name;
  std::string text;
  std::uint64_t warp_instructions;  // of one warp, counted by hand
  std::string failure;              // that the launch ends with
  std::set<std::string> opcodes;    // of what can run
};

std::string repeated(const char* text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::string entry =
    ".visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<3>; ";

std::vector<Odd> odd_kernels() {
  return {
      {"nothing at all", ".visible .entry k(.param .u64 p) { }", 0, "", {}},
      {"only trap", entry + "trap; }", 1, "trap", {"trap"}},
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

std::filesystem::path trace_of(const std::string& tool) {
  return std::filesystem::temp_directory_path() / ("wedjat_odd." + tool);
}

// What each needs to run at all; one that is not named needs nothing.
std::string spec_of(const std::string& tool) {
  const bool writes = tool == "memory_trace" || tool == "register_trace";
  return writes ? tool + ",file=" + trace_of(tool).string() : tool;
}

std::vector<std::string> all_tools() {
  std::vector<std::string> all;
  for (const std::string& path : wedjat::hooks::all_libraries())
    // fault_injection replays recordings in processes of its own.
    if (path.find("fault_injection") == path.npos)
      all.push_back(spec_of(std::filesystem::path(path).stem().string()));
  return all;
}

void check_counts(const Odd& odd, const Watched& w, std::size_t tool) {
  const std::string name = w.tools[tool]["tool"];
  if (name == "instruction_count") {
    const auto counted = w.cell("instructions by kernel", "warp", {}, tool);
    CHECK((counted.is_null() ? 0 : counted.get<std::uint64_t>()) == odd.warp_instructions);
  }
  if (name == "branch_divergence" && odd.warp_instructions != 0)
    CHECK(w.cell("SIMT efficiency", "warp", {}, tool) == odd.warp_instructions);
  if (name != "opcode_histogram") return;
  std::set<std::string> opcodes;
  std::uint64_t sum = 0;
  for (const auto& table : w.tools[tool]["tables"])
    for (const auto& row : table["rows"])
      if (table["title"] == "instructions by opcode")
        opcodes.insert(row["opcode"]), sum += row["warp"].get<std::uint64_t>();
  CHECK(opcodes == odd.opcodes);
  CHECK(sum == odd.warp_instructions);
}

}  // namespace

TEST_CASE("every tool, alone and apart and all together, on every odd kernel") {
  const std::vector<std::string> tools = all_tools();
  REQUIRE(tools.size() >= 16);
  for (const Odd& odd : odd_kernels()) {
    INFO(odd.name);
    const Watched plain = watch(odd.text, {});
    CHECK(plain.failure.find(odd.failure) != std::string::npos);
    std::vector<std::vector<std::string>> sets = {tools};
    for (const std::string& tool : tools) sets.push_back({tool});
    for (const auto& set : sets) {
      INFO(set.front());
      const Watched w = watch(odd.text, set);
      CHECK(w.failure == plain.failure);
      CHECK(w.memory == plain.memory);
      REQUIRE(w.tools.size() == set.size());
      for (std::size_t t = 0; t < set.size(); ++t) check_counts(odd, w, t);
    }
  }
  for (const char* tool : {"memory_trace", "register_trace"}) std::filesystem::remove(trace_of(tool));
}

TEST_CASE("and in processes of their own") {
  for (const Odd& odd : odd_kernels()) {
    INFO(odd.name);
    const Watched w =
        watch(odd.text, {"instruction_count,isolated", "race_check,isolated", "opcode_histogram,isolated"});
    for (std::size_t t = 0; t < w.tools.size(); ++t) {
      CHECK(w.reports[t].detached == "");
      check_counts(odd, w, t);
    }
  }
}

TEST_CASE("copies of an unrolled loop count as the loop") {
  // ptxas unrolls a loop that carries a product: what is counted is still the instructions as written.
  const Watched w =
      watch(entry + R"(.reg .f32 %f<4>; mov.u32 %r1, 0; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F000000;
L: add.f32 %f1, %f1, %f2; mul.f32 %f2, %f1, %f1; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4; @%p1 bra L;
  ld.param.u64 %d1, [p]; st.global.f32 [%d1], %f2; ret; })",
            {"instruction_count", "opcode_histogram", "branch_divergence"});
  CHECK(w.cell("instructions by kernel", "warp") == 3 + 4 * 5 + 3);
  CHECK(w.cell("instructions by opcode", "warp", "mul", 1) == 4);
  CHECK(w.cell("SIMT efficiency", "warp", {}, 2) == 3 + 4 * 5 + 3);
}

TEST_CASE("a module without a kernel loads under every tool") {
  for (const std::string& tool : all_tools())
    CHECK_THROWS_WITH(watch(".func f() { ret; }", {tool}), doctest::Contains("no kernel k in the module"));
}
