// Counting tools against counts made by hand.
#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"

using namespace wedjat::test;

TEST_CASE("instruction_count counts warps, threads and lanes whose guard holds") {
  const Watched w = watch(strided(4), {"instruction_count"}, {.ctas = 3, .threads = 40});
  // 9 instructions; 2 warps of 32 and 8 threads a CTA; the guarded add runs in half of the lanes.
  CHECK(w.cell("instructions by kernel", "warp") == 3 * 2 * 9);
  CHECK(w.cell("instructions by kernel", "thread") == 3 * 40 * 9);
  CHECK(w.cell("instructions by kernel", "predicated_on") == 3 * (40 * 8 + 20));
}

TEST_CASE("guards of instructions that do nothing here count too") {
  // Both are folded away when the kernel is lowered.
  const Watched w = watch(R"(.visible .entry k(.param .u64 p) {
  .reg .b32 %r<3>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 5;
  setp.gt.u32 %p2, %r1, 99;
@%p1 fence.proxy.async;
@!%p1 cp.async.bulk.commit_group;
@%p2 fence.proxy.async;
  ret; })",
                          {"instruction_count", "opcode_histogram"}, {.threads = 64});
  CHECK(w.cell("instructions by kernel", "thread") == 7 * 64);
  CHECK(w.cell("instructions by kernel", "predicated_on") == 4 * 64 + 5 + 59 + 0);
}

TEST_CASE("a loop that lanes leave one after the other") {
  const Watched w = watch(looping, {"instruction_count", "branch_divergence,depth=1", "opcode_histogram"});
  // 3 by all; then 1 + the loop's 3: round n by lanes n-1 … 7; then ret.
  const int loop = 3 * (8 + 7 + 6 + 5 + 4 + 3 + 2 + 1);
  CHECK(w.cell("instructions by kernel", "thread") == 3 * 32 + 8 + loop + 32);
  CHECK(w.cell("branch efficiency", "branches", {}, 1) == 1 + 8);
  CHECK(w.cell("branch efficiency", "divergent", {}, 1) == 1 + 7);
  CHECK(w.cell("instructions by opcode", "thread", "add", 2) == loop / 3);
  CHECK(w.cell("instructions by opcode", "thread", "bra", 2) == 32 + loop / 3);
  CHECK(w.cell("instructions by opcode", "thread", "ret", 2) == 32);
}

TEST_CASE("sums of the tools agree, whatever the number of host threads") {
  for (const unsigned threads : {1u, 3u}) {
    const Watched w =
        watch(looping, {"instruction_count,by=block", "opcode_histogram", "instruction_count,by=line"},
              {.ctas = 50, .threads = 100, .host_threads = threads});
    const auto total = w.cell("instructions by kernel", "thread").get<std::uint64_t>();
    const auto sum = [&](std::size_t tool, std::size_t table) {
      std::uint64_t all = 0;
      for (const auto& row : w.tools[tool]["tables"][table]["rows"])
        all += row["thread"].get<std::uint64_t>();
      return all;
    };
    CHECK(sum(0, 1) == total);
    CHECK(sum(1, 0) == total);
    CHECK(sum(2, 1) == total);
    CHECK(w.tools[1]["tables"][1]["rows"][0]["thread_instructions"] == total);
  }
}

TEST_CASE("opcode_histogram: the first launch of a grid taken for all, and the error of that by opcode") {
  // Launch n subtracts n times.
  const std::string kernel = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd1; .reg .b32 %r<3>; .reg .pred %p1;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
LOOP:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
@%p1 bra LOOP;
  ret; })";
  const auto run = [&](const std::string& options) {
    return watch(kernel, {"opcode_histogram" + options}, {.threads = 1, .launches = 3});
  };
  CHECK(run("").cell("instructions by opcode", "thread", "sub") == 1 + 2 + 3);
  CHECK(run(",estimate=grid").cell("instructions by opcode", "thread", "sub") == 3 * 1);
  CHECK(run(",estimate=grid").cell("sampling", "thread_instructions_counted") == 3 * (5 + 3));
  CHECK(run(",estimate=grid").cell("sampling", "thread_instructions") == 3 * 5 + 3 * 6);
  const Watched checked = run(",estimate=grid,check=1");
  const char* const table = "estimates against full counts";
  CHECK(checked.cell(table, "thread", "sub") == 3);
  CHECK(checked.cell(table, "thread_exact", "sub") == 6);
  CHECK(checked.cell(table, "error_percent", "sub") == -50.0);
  CHECK(checked.cell(table, "error_percent", "ld") == 0.0);
}

TEST_CASE("memory_divergence: lines and sectors of one store") {
  const auto lines = [](int stride) {
    return watch(strided(stride), {"memory_divergence"}).cell("global memory", "lines");
  };
  const auto sectors = [](int stride) {
    return watch(strided(stride), {"memory_divergence"}).cell("global memory", "sectors");
  };
  CHECK(lines(4) == 1);
  CHECK(sectors(4) == 4);
  CHECK(lines(8) == 2);
  CHECK(sectors(8) == 8);
  CHECK(lines(128) == 32);
  CHECK(sectors(128) == 32);
  CHECK(lines(0) == 1);
  CHECK(sectors(0) == 1);
}

TEST_CASE("memory_divergence: lines are in the order of their numbers") {
  std::string kernel = strided(4);
  const std::size_t store = kernel.find("st.global");
  REQUIRE(store != kernel.npos);
  const std::string again = kernel.substr(store, kernel.find(';', store) + 1 - store);
  kernel.insert(kernel.rfind("ret;"), std::string(100, '\n') + again + "\n");
  const Watched w = watch(kernel, {"memory_divergence"});
  const std::string first = w.cell("global memory by line", "place");
  CHECK(first.size() <= std::string("ptx:99").size());
}

TEST_CASE("bank_conflicts: passes of one store") {
  const auto passes = [](const std::string& kernel) {
    return watch(kernel, {"bank_conflicts"}).cell("shared memory", "passes");
  };
  CHECK(passes(banks(4)) == 1);
  CHECK(passes(banks(8)) == 2);
  CHECK(passes(banks(128)) == 32);
  CHECK(passes(banks(0)) == 1);             // one word for all
  CHECK(passes(banks(132)) == 1);           // padded rows
  CHECK(passes(banks(16, "v4.u32")) == 4);  // 16 bytes: quarter warps
  const Watched w = watch(banks(64), {"bank_conflicts"});
  CHECK(w.cell("shared memory", "ideal") == 1);
  CHECK(w.cell("shared memory", "excessive") == 15);
}

TEST_CASE("watching changes nothing") {
  const Watched plain = watch(strided(4), {}, {.ctas = 4, .threads = 128});
  const Watched seen =
      watch(strided(4), {"instruction_count", "memory_divergence", "race_check", "memory_check"},
            {.ctas = 4, .threads = 128});
  CHECK(plain.memory == seen.memory);
}

TEST_CASE("options nobody knows are refused") {
  CHECK_THROWS_WITH_AS(watch(looping, {"bank_conflicts,colour=red"}), doctest::Contains("no option 'colour'"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(watch(looping, {"nonsense"}), doctest::Contains("no tool 'nonsense'"),
                       std::runtime_error);
}
