// Instructions that access memory more than once: every access is seen, counted by hand.
#include <cstdio>
#include <sstream>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/memory_trace/format.hpp"

using namespace wedjat::test;

namespace {

// Each lane copies 16 bytes, one after another in global memory, 128 bytes apart in shared memory: one bank.
constexpr const char* lane_copies = R"(.visible .entry k(.param .u64 p) {
  .shared .align 16 .b8 s[8192];
  .reg .b64 %rd<4>; .reg .b32 %r<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 7;
  mov.u32 %r3, s;
  add.s32 %r4, %r3, %r2;
  shl.b32 %r5, %r1, 4;
  cvt.u64.u32 %rd2, %r5;
  add.s64 %rd3, %rd1, %rd2;
  cp.async.cg.shared.global [%r4], [%rd3], 16;
  cp.async.wait_all;
  ret; })";

// One thread copies 4096 bytes from global memory, and 2048 of them back to where they do not overlap.
constexpr const char* bulk_copies = R"(.visible .entry k(.param .u64 p) {
  .shared .align 128 .b8 s[8192]; .shared .align 8 .b64 full;
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
@%p1 bra D;
  mov.u32 %r2, s;
  mov.u32 %r3, full;
  mbarrier.init.shared.b64 [%r3], 1;
  mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r3], 4096;
  mov.u32 %r4, 4096;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], %r4, [%r3];
W:
  mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;
@!%p2 bra W;
  mov.u32 %r5, 2048;
  cp.async.bulk.global.shared::cta.bulk_group [%rd1+8208], [%r2], %r5;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
D:
  ret; })";

std::uint64_t all(const Watched& w, std::size_t tool, const std::string& table, const std::string& key,
                  const std::string& column) {
  const auto cell = w.cell(table, column, key, tool);
  return cell.is_null() ? 0 : cell.get<std::uint64_t>();
}

}  // namespace

TEST_CASE("a copy by lanes is an access of global and one of shared memory") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  const Watched w = watch(lane_copies, {"memory_divergence", "bank_conflicts", "reuse_distance",
                                        "cache_model", "roofline", "memory_trace,file=" + file});
  CHECK(all(w, 0, "global memory", "", "requests") == 1);
  CHECK(all(w, 0, "global memory", "", "lines") == 4);
  CHECK(all(w, 0, "global memory", "", "sectors") == 16);
  CHECK(all(w, 1, "shared memory", "", "requests") == 1);
  CHECK(all(w, 1, "shared memory", "", "passes") == 32);
  CHECK(all(w, 1, "shared memory", "", "ideal") == 4);
  CHECK(all(w, 2, "lines", "", "accesses") == 4);
  CHECK(all(w, 3, "levels", "L1", "accesses") == 4);
  for (const auto& row : w.tools[4]["tables"][1]["rows"]) {
    CHECK(row["loaded"] == (row["space"] == "global" ? 512 : 0));
    CHECK(row["stored"] == (row["space"] == "shared" ? 512 : 0));
  }
  CHECK(w.tools[4]["tables"][1]["rows"].size() == 2);
  memory_trace::Reader in(file);
  memory_trace::Access a;
  for (const unsigned kind : {2u, 1u}) {  // shared memory is written, global memory read
    REQUIRE(in.next(a));
    CHECK(in.site(a).kind == kind);
    CHECK(in.site(a).bytes == 16);
    CHECK(a.bytes[31] == 16);
    CHECK(a.address[31] - a.address[0] == 31 * (kind == 2 ? 128 : 16));
  }
  CHECK(!in.next(a));
  std::remove(file.c_str());
}

TEST_CASE("a box of a tensor and a tile: the tools count the same bytes, lines and sectors") {
  struct Case {
    const char* kernel;
    std::uint64_t lines, sectors, bytes;  // of global memory
    std::uint64_t trace_accesses;
  };
  // Of the box: 24 bytes at 0x50 and at 0x90; of the tile: of each 48 the first 32. The map's seven stores
  // lie in one line and, but for the first four, in another sector.
  for (const Case& c : {Case{box_copy, 2, 4, 48, 3}, Case{tile_load, 6, 24, 512, 1}})
    for (const char* tier : {"", ",isolated"}) {
      const std::string form = c.kernel == box_copy ? "cp.async.bulk.tensor" : "wmma";
      const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
      std::vector<std::string> tools;
      for (const char* tool : {"memory_divergence", "reuse_distance", "cache_model", "roofline"})
        tools.push_back(tool + std::string(tier));
      if (*tier == 0) tools.push_back("memory_trace,file=" + file);
      const Watched w = watch(c.kernel, tools);
      CHECK(w.failure.empty());
      const auto of = [&](std::size_t tool, const char* table, const char* column) {
        std::uint64_t sum = 0;
        for (const auto& t : w.tools[tool]["tables"])
          for (const auto& row : t["rows"])
            if (t["title"] == table && row["instruction"].get<std::string>().starts_with(form))
              sum += row[column].get<std::uint64_t>();
        return sum;
      };
      CHECK(of(0, "global memory by instruction", "requests") == 1);
      CHECK(of(0, "global memory by instruction", "lines") == c.lines);
      CHECK(of(0, "global memory by instruction", "sectors") == c.sectors);
      CHECK(of(1, "by instruction", "accesses") == c.lines);
      CHECK(of(2, "by instruction", "l1_accesses") == c.lines);
      const std::uint64_t map = c.kernel == box_copy ? 8 + 6 * 4 : 0;
      CHECK(all(w, 3, "roofline", "", "global_bytes") == c.bytes + map);
      if (*tier != 0) continue;
      memory_trace::Reader in(file);
      std::uint64_t accesses = 0, bytes = 0;
      for (memory_trace::Access a; in.next(a);) {
        if (!in.site(a).text.starts_with(form)) continue;
        ++accesses;
        if (in.site(a).space == 2 && in.site(a).kind == 1)
          for (const std::uint32_t b : a.bytes) bytes += b;
      }
      CHECK(accesses == c.trace_accesses);
      CHECK(bytes == c.bytes);
      std::remove(file.c_str());
    }
}

TEST_CASE("generic addresses of shared memory touch no line of global memory") {
  const Watched w = watch(generic_mix, {"memory_divergence", "reuse_distance", "cache_model"});
  CHECK(w.failure.empty());
  CHECK(all(w, 0, "global memory", "", "requests") == 1);
  CHECK(all(w, 0, "global memory", "", "lines") == 8);  // 16 lanes, 64 bytes apart
  CHECK(all(w, 0, "global memory", "", "sectors") == 16);
  CHECK(all(w, 1, "lines", "", "accesses") == 8);
  CHECK(all(w, 2, "levels", "L1", "accesses") == 8);
}

TEST_CASE("a copy whose size a register says") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  for (const char* tier : {"", ",isolated"}) {
    const Watched w =
        watch(bulk_copies, {"memory_divergence" + std::string(tier), "reuse_distance" + std::string(tier),
                            "roofline" + std::string(tier)});
    CHECK(all(w, 0, "global memory", "", "requests") == 2);
    CHECK(all(w, 0, "global memory", "", "lines") == 32 + 17);  // 8208 is 16 bytes past a border
    CHECK(all(w, 0, "global memory", "", "sectors") == 128 + 65);
    CHECK(all(w, 1, "lines", "", "accesses") == 32 + 17);
    CHECK(all(w, 2, "roofline", "", "global_bytes") == 4096 + 2048);
  }
  const Watched w = watch(bulk_copies, {"memory_trace,file=" + file});
  memory_trace::Reader in(file);
  std::ostringstream seen;
  for (memory_trace::Access a; in.next(a);)
    if (in.site(a).text.starts_with("cp.async.bulk"))
      seen << unsigned{in.site(a).kind} << ":" << a.mask << ":" << a.bytes[0] << " ";
  CHECK(seen.str() == "2:1:4096 1:1:4096 7:1:8 2:1:2048 1:1:2048 ");
  std::remove(file.c_str());
}
