// Callbacks in their order, filters, counters between launches.
#include "tests/emulator/hooks/tools.h"
#include "traces/read/trace.h"
#include "traces/replay/replay.h"

using namespace wedjat::test;

namespace {

using Rows = std::vector<std::pair<std::string, std::uint64_t>>;

Rows log_of(const nlohmann::json& report) {
  Rows rows;
  for (const auto& row : report["tables"][0]["rows"]) rows.emplace_back(row["what"], row["number"]);
  return rows;
}

Rows logged(const std::string& options, Grid grid, const std::string& kernel = strided(4)) {
  const Watched here = watch(kernel, {tool("lifecycle", options)}, grid);
  const Watched apart = watch(kernel, {tool("lifecycle", options) + ",isolated"}, grid);
  CHECK(here.failure.empty());
  CHECK(apart.tools[0]["detached"] == "");
  CHECK(log_of(here.tools[0]) == log_of(apart.tools[0]));
  return log_of(here.tools[0]);
}

std::uint64_t count(const Rows& rows, const std::string& what) {
  std::uint64_t count = 0;
  for (const auto& [name, number] : rows) count += name == what;
  return count;
}

std::uint64_t last(const Rows& rows, const std::string& what) {
  std::uint64_t last = 0;
  for (const auto& [name, number] : rows)
    if (name == what) last = number;
  return last;
}

}  // namespace

TEST_CASE("callbacks come in the order of the program") {
  const Rows rows = logged("", {.ctas = 1, .threads = 40});
  const Rows expected = {{"module k.ptx", 1},
                         {"memory", WEDJAT_ALLOCATED},
                         {"memory", WEDJAT_HOST_WROTE},
                         {"kernel", 0},
                         {"launch_begin", 0},
                         {"cta_begin", 0},
                         {"warp_begin", 32},
                         {"warp_begin", 108},
                         {"warp_end", 0},
                         {"warp_end", 1},
                         {"cta_end", 0},
                         {"launch_end", 9 * 40},
                         {"memory", WEDJAT_HOST_READS},
                         {"memory", WEDJAT_FREED},
                         {"finish", 9 * 40}};
  Rows sorted = rows;
  // The device loads the module before the program allocates.
  CHECK(sorted == expected);
}

TEST_CASE("launches, CTAs and warps can be left out") {
  const Grid grid{.ctas = 10, .threads = 96, .launches = 3};
  CHECK(last(logged("", grid), "finish") == 3 * 10 * 96 * 9);
  CHECK(last(logged("not=1", grid), "finish") == 2 * 10 * 96 * 9);
  CHECK(last(logged("not_cta=4", grid), "finish") == 3 * 9 * 96 * 9);
  CHECK(last(logged("launches=1-5", grid), "finish") == 2 * 10 * 96 * 9);
  CHECK(last(logged("ctas=3-6", grid), "finish") == 3 * 4 * 96 * 9);
  CHECK(last(logged("ctas=1-9,sample=3", grid), "finish") == 3 * 3 * 96 * 9);
  CHECK(last(logged("warps=1-1", grid), "finish") == 3 * 10 * 32 * 9);
  CHECK(last(logged("kernel=other*", grid), "finish") == 0);
  const Rows rows = logged("see=ctas,ctas=3-3,warps=2-2", {.ctas = 10, .threads = 96});
  CHECK(count(rows, "event") == 9);
  CHECK(last(rows, "event") == 302);
  CHECK(count(rows, "warp_begin") == 1);
  CHECK(count(rows, "cta_begin") == 1);
  CHECK(count(rows, "cta_end") == 1);
}

TEST_CASE("filters hold for counters that several host threads add up") {
  const Grid grid{.ctas = 100, .threads = 64, .host_threads = 3};
  const Watched w = watch(
      looping, {"instruction_count,ctas=10-19", "instruction_count", "instruction_count,sample=2"}, grid);
  const auto thread = [&](std::size_t tool) { return w.cell("instructions by kernel", "thread", {}, tool); };
  CHECK(thread(0).get<std::uint64_t>() * 10 == thread(1).get<std::uint64_t>());
  CHECK(thread(2).get<std::uint64_t>() * 2 == thread(1).get<std::uint64_t>());
}

TEST_CASE("filters that make no sense are refused") {
  for (const char* wrong : {"ctas=x", "ctas=5-2", "sample=0", "warps=", "launches=1-"})
    CHECK_THROWS_AS(watch(looping, {tool("lifecycle", wrong)}), std::runtime_error);
}

TEST_CASE("counters can be set between launches, subscriptions made anew") {
  const Grid grid{.ctas = 1, .threads = 32, .launches = 3};
  CHECK(last(logged("zero=1", grid), "launch_end") == 32 * 9);
  CHECK(count(logged("again=1", grid), "kernel") == 4);  // a reset before the first launch counts too
  CHECK(last(logged("again=1", grid), "finish") == 3 * 32 * 9);
}

TEST_CASE("a tool sees every driver call, with arguments, and the nodes of graphs") {
  wedjat::hooks::Hooks hooks;
  hooks.add(tool("lifecycle"));
  hooks.add(tool("lifecycle") + ",isolated");
  const auto trace =
      wedjat::traces::open_trace(std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/graphs.tar.zst");
  wedjat::traces::ReplayOptions options;
  options.hooks = &hooks;
  wedjat::traces::replay(trace, options);
  const auto reports = hooks.finish();
  const Rows rows = log_of(to_json(reports.at(0)));
  CHECK(rows == log_of(to_json(reports.at(1))));
  CHECK(count(rows, "cuMemAlloc_v2 12000") == 2);
  CHECK(last(rows, "cuMemHostAlloc 4") == 4);
  CHECK(count(rows, "node cuGraphAddKernelNode_v2") == 14);
  CHECK(count(rows, "node cuGraphAddChildGraphNode") == 5);
  CHECK(last(rows, "node cuGraphAddMemFreeNode") == 3);
}
