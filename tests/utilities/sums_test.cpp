// What several tools say of one recording must agree, and with what was recorded of its exact replay.
#include <cstdio>
#include <filesystem>
#include <set>

#include "emulator/hooks/running/memory_metrics.h"
#include "tests/utilities/watched.h"
#include "traces/replay/replay.h"
#include "utilities/memory_trace/format.hpp"

using namespace wedjat;

namespace {

std::uint64_t sum(const nlohmann::json& tool, const std::string& title, const std::string& column) {
  std::uint64_t all = 0;
  for (const auto& table : tool["tables"])
    if (table["title"] == title)
      for (const auto& row : table["rows"]) all += row[column].get<std::uint64_t>();
  return all;
}

void check(const std::string& recording) {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  hooks::Hooks hooks;
  const char* const names[] = {"instruction_count,by=block",
                               "opcode_histogram",
                               "branch_divergence",
                               "memory_divergence",
                               "bank_conflicts",
                               "reuse_distance",
                               "cache_model",
                               "roofline"};
  for (const char* name : names) hooks.add(name);
  hooks.add("instruction_count,by=line");
  hooks.add("memory_trace,file=" + file);
  traces::ReplayOptions options;
  options.hooks = &hooks;
  const traces::ReplayReport replayed =
      traces::replay(traces::open_trace(std::string(WEDJAT_SOURCE_DIR "/traces/") + recording), options);
  CHECK(replayed.exact());
  std::vector<nlohmann::json> t;
  for (const hooks::Report& report : hooks.finish()) t.push_back(to_json(report));
  const auto &count = t[0], &histogram = t[1], &branches = t[2], &divergence = t[3], &banks = t[4],
             &reuse = t[5], &cache = t[6], &roof = t[7], &lines = t[8], &trace = t[9];

  for (const char* column : {"warp", "thread"}) {
    const std::uint64_t total = sum(count, "instructions by kernel", column);
    CHECK(total ==
          (std::string(column) == "warp" ? replayed.warp_instructions() : replayed.thread_instructions()));
    CHECK(sum(histogram, "instructions by opcode", column) == total);
    CHECK(sum(branches, "SIMT efficiency", column) == total);
    std::uint64_t by_block = 0, by_line = 0;
    std::set<std::string> kernels;  // a module that is loaded twice has one of each name twice
    for (const auto& row : count["tables"][0]["rows"]) kernels.insert(row["kernel"].get<std::string>());
    for (const std::string& kernel : kernels) {
      by_block += sum(count, "by block: " + kernel, column);
      by_line += sum(lines, "by line: " + kernel, column);
    }
    CHECK(by_block == total);
    CHECK(by_line == total);
  }
  CHECK(sum(branches, "SIMT efficiency", "predicated_on") ==
        sum(count, "instructions by kernel", "predicated_on"));

  // The trace, access by access.
  std::uint64_t global = 0, shared = 0, rows = 0, touched_lines = 0, sectors = 0, loaded = 0, stored = 0,
                addresses = 0;
  memory_trace::Reader in(file);
  for (memory_trace::Access a; in.next(a); ++rows) {
    const memory_trace::Site& site = in.site(a);
    const bool is_global = site.space == WEDJAT_GLOBAL || site.space == WEDJAT_GENERIC;
    const auto lanes = static_cast<std::uint64_t>(std::popcount(a.mask));
    addresses += lanes;
    (is_global ? global : shared) += 1;
    if (site.kind & 1) loaded += lanes * site.bytes;
    if (site.kind & 2) stored += lanes * site.bytes;
    if (!is_global) continue;
    const hooks::Footprint footprint(a.address.data(), a.mask, site.bytes);
    touched_lines += footprint.units<7>();
    sectors += footprint.units<5>();
  }
  std::remove(file.c_str());
  CHECK(rows > 0);
  CHECK(sum(trace, "memory trace", "accesses") == rows);
  CHECK(sum(trace, "memory trace", "addresses") == addresses);
  CHECK(sum(divergence, "global memory", "requests") == global);
  CHECK(sum(divergence, "global memory", "lines") == touched_lines);
  CHECK(sum(divergence, "global memory", "sectors") == sectors);
  CHECK(sum(banks, "shared memory", "requests") == shared);
  CHECK(sum(reuse, "lines", "accesses") == touched_lines);
  CHECK(sum(reuse, "by instruction", "accesses") == touched_lines);
  CHECK(32 * sectors == sum(roof, "roofline", "sector_bytes"));
  std::uint64_t roof_loaded = 0, roof_stored = 0;
  for (const auto& row : roof["tables"][1]["rows"])
    if (const std::string space = row["space"];
        space == "global" || space == "generic" || space == "shared") {
      roof_loaded += row["loaded"].get<std::uint64_t>();
      roof_stored += row["stored"].get<std::uint64_t>();
    }
  CHECK(roof_loaded == loaded);
  CHECK(roof_stored == stored);
  // What L1 does not answer, L2 sees; what neither does is fetched.
  const std::uint64_t fetched = sum(cache, "memory", "memory_reads");
  CHECK(sum(cache, "levels", "misses") >= fetched);
  CHECK(sum(cache, "levels", "hits") + sum(cache, "levels", "misses") == sum(cache, "levels", "accesses"));
  CHECK(fetched <= sum(reuse, "lines", "accesses"));
}

}  // namespace

TEST_CASE("tools agree with each other") {
  std::vector<std::string> recordings = {"regression/rodinia/lud.tar.zst",
                                         "regression/rodinia/pathfinder.tar.zst"};
  for (const auto& sample : std::filesystem::directory_iterator(WEDJAT_SOURCE_DIR "/traces/samples"))
    if (sample.path().extension() == ".zst")
      recordings.push_back("samples/" + sample.path().filename().string());
  CHECK(recordings.size() > 15);
  for (const std::string& recording : recordings) {
    INFO(recording);
    check(recording);
  }
}
