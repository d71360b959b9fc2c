// Every tool on every odd kernel.
#include "tests/utilities/odd_kernels.h"

#include <filesystem>

#include "emulator/hooks/session/library.h"
#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

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
    // fault_injection replays recordings (odd_recordings_test.cpp).
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
