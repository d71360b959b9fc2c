// What was written is read back.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <set>

#include "tests/utilities/kernels.h"
#include "tests/utilities/odd_kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/include/wedjat/tool.hpp"
#include "utilities/memory_trace/format.hpp"

using namespace wedjat::test;

namespace {

// Rows of 16 lanes, in loops of which the inner one begins again elsewhere.
const char* const nested = R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<6>; .reg .b32 %r<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 15;
  shr.u32 %r3, %r1, 4;
  mad.lo.u32 %r4, %r3, 256, %r2;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd2, %rd1, %rd2;
  mov.u32 %r5, 0;
OUTER:
  mov.u64 %rd3, %rd2;
  mov.u32 %r6, 0;
INNER:
  ld.global.u32 %r7, [%rd3];
  st.global.u32 [%rd3+1024], %r7;
  add.s64 %rd3, %rd3, 64;
  add.s32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, 40;
@%p1 bra INNER;
  add.s64 %rd2, %rd2, 4096;
  add.s32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 3;
@%p2 bra OUTER;
  ret; })";

struct Told {
  std::uint64_t launch;
  std::uint32_t instruction;
  memory_trace::Access at;
};
std::vector<Told> told;
std::set<std::uint32_t> with_pieces;

// Accesses as every handler is told of them, of warps 0 to 4.
struct Everything : wedjat::Tool {
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : wedjat::instructions(k)) {
      if (i.what & WEDJAT_HAS_PIECES)
        with_pieces.insert(i.id);
      else if (std::ranges::any_of(wedjat::accesses(i), &Everything::is_traced))
        before<&Everything::on_access>(i, WEDJAT_ADDRESSES);
    }
  }
  static bool is_traced(const wedjat_access& access) {
    return access.space == WEDJAT_GLOBAL || access.space == WEDJAT_GENERIC || access.space == WEDJAT_SHARED ||
           access.space == WEDJAT_SHARED_CLUSTER;
  }
  void on_access(const wedjat::Event& event) {
    if (event.warp > 4) return;
    for (std::uint32_t a = 0; a < event.instruction->access_count; ++a) {
      const wedjat_access& access = event.instruction->accesses[a];
      Told one{event.launch->index, event.instruction->id, {}};
      one.at.cta = event.cta;
      one.at.warp = event.warp;
      one.at.mask = event.executed & access.lanes;
      wedjat::each_lane(one.at.mask, [&](unsigned lane) {
        one.at.address[lane] = event.addresses[a][lane];
        one.at.bytes[lane] = wedjat::bytes_of(event, access, lane);
      });
      if (one.at.mask != 0) told.push_back(one);
    }
  }
};

}  // namespace

TEST_CASE("the trace of a strided store") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  const Watched w = watch(strided(8), {"memory_trace,file=" + file}, {.ctas = 2, .threads = 48});
  CHECK(w.cell("memory trace", "accesses") == 4);
  CHECK(w.cell("memory trace", "addresses") == 96);
  memory_trace::Reader in(file);
  memory_trace::Access a;
  int seen = 0;
  while (in.next(a)) {
    CHECK(in.running().name == "k");
    CHECK(a.cta == static_cast<unsigned>(seen / 2));
    CHECK(a.warp == static_cast<unsigned>(seen % 2));
    CHECK(in.site(a).kind == 2);
    CHECK(in.site(a).bytes == 4);
    CHECK(a.mask == (a.warp == 0 ? 0xffffffffu : 0xffffu));
    for (unsigned lane = 0; lane < (a.warp == 0 ? 32u : 16u); ++lane)
      CHECK(a.address[lane] == 0x7f0000000000 + 8 * (32 * a.warp + lane));
    ++seen;
  }
  CHECK(seen == 4);
  std::remove(file.c_str());
}

TEST_CASE("texels of textures and surfaces are traced: where they lie, lane by lane") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  const Watched w = watch(R"(.visible .entry k(.param .u64 p) {
  .reg .b64 %t, %s; .reg .b32 %r<8>; .reg .pred %p;
  mov.u64 %t, 0x77; mov.u64 %s, 0x78;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 1;
  setp.lt.u32 %p, %r1, 4;
@%p tex.1d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%t, {%r2}];
  shl.b32 %r2, %r1, 2;
  sust.b.2d.b32.zero [%s, {%r2, 1}], %r1;
  ret; })",
                          {"memory_trace,file=" + file}, {.threads = 8});
  REQUIRE(w.failure == "");
  memory_trace::Reader in(file);
  memory_trace::Access read, written;
  REQUIRE(in.next(read));
  CHECK(in.site(read).kind == 1);
  CHECK(read.mask == 0xf);
  for (unsigned lane = 0; lane < 4; ++lane) CHECK(read.address[lane] == 0x7f0000000000 + 8 * lane);
  REQUIRE(in.next(written));
  CHECK(in.site(written).kind == 2);
  CHECK(written.mask == 0xff);
  for (unsigned lane = 1; lane < 8; ++lane) CHECK(written.address[lane] == written.address[0] + 4 * lane);
  CHECK(!in.next(written));
  std::remove(file.c_str());
}

TEST_CASE("addresses of every shape are read back") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  std::mt19937_64 random(3);
  std::vector<memory_trace::Access> all;
  {
    memory_trace::Writer out(file);
    out.add(0, {"k", {{7, 4, 1, 2, 1, "ld"}, {8, 4, 2, 2, 2, "st"}}});
    out.begin(0, 0, 2);
    for (unsigned n = 0; n < 4000; ++n) {
      memory_trace::Access a;
      a.cta = n / 1000;
      a.warp = n / 500 % 2;
      a.site = n % 2;
      a.mask = n % 3 ? ~0u : static_cast<std::uint32_t>(random()) | 1u;
      const unsigned width = 1u << random() % 6;
      const std::uint64_t base = random() >> 20, step = random() % 64, far = random() >> random() % 60;
      for (unsigned l = 0; l < 32; ++l)
        if (a.mask >> l & 1)
          a.address[l] = n % 5 == 0 ? random() >> random() % 60 : base + l % width * step + l / width * far;
      out.add(a, a.address.data());
      all.push_back(a);
    }
    REQUIRE(out.finish());
  }
  memory_trace::Reader in(file);
  memory_trace::Access a;
  for (const memory_trace::Access& expected : all) {
    REQUIRE(in.next(a));
    REQUIRE(a.cta == expected.cta);
    REQUIRE(a.warp == expected.warp);
    REQUIRE(a.site == expected.site);
    REQUIRE(a.mask == expected.mask);
    REQUIRE(a.address == expected.address);
  }
  CHECK(!in.next(a));
  std::remove(file.c_str());
}

TEST_CASE("what is left out is read back") {
  const std::string file = std::string(std::tmpnam(nullptr)) + ".trace";
  std::uint64_t records = 0;
  std::vector<std::string> kernels = {strided(8), looping, nested, generic_mix, tile_load, box_copy};
  for (const Odd& odd : odd_kernels()) kernels.push_back(odd.text);
  for (const std::string& kernel : kernels) {
    INFO(kernel);
    told.clear();
    with_pieces.clear();
    const Watched got =
        watch(kernel, {"memory_trace,warps=0-4,file=" + file}, {.ctas = 3, .threads = 176, .launches = 2},
              wedjat::Tool::describe<Everything>("everything", "is told all"));
    memory_trace::Reader in(file);
    memory_trace::Access a;
    std::size_t seen = 0;
    for (; in.next(a); ++records) {
      if (with_pieces.contains(in.site(a).instruction)) continue;
      REQUIRE(seen < told.size());
      const Told& expected = told[seen++];
      REQUIRE(in.launch_index() == expected.launch);
      REQUIRE(in.site(a).instruction == expected.instruction);
      REQUIRE(a.cta == expected.at.cta);
      REQUIRE(a.warp == expected.at.warp);
      REQUIRE(a.mask == expected.at.mask);
      REQUIRE(a.address == expected.at.address);
      REQUIRE(a.bytes == expected.at.bytes);
    }
    CHECK(seen == told.size());
    // Of 3 * 40 times two accesses of a warp few lie otherwise than those before them.
    if (kernel == nested) CHECK(std::filesystem::file_size(file) < told.size() / 4);
  }
  CHECK(records > 7500);
  std::remove(file.c_str());
}

TEST_CASE("what is expected of lanes in one line has nothing to do with rows that others had") {
  using wedjat::Tile;
  wedjat::Expectation expectation(3);
  const Tile line{32, 4096, 4, 0}, rows{16, 4096, 4, 512};
  const auto warp = [&](std::uint64_t number, std::size_t from, const Tile& at) {
    expectation.take(from, number, line);
    return expectation.take(2, number, at);
  };
  warp(0, 0, line);
  warp(1, 1, rows);
  CHECK(warp(2, 0, line));
  CHECK(warp(3, 1, rows));
}

TEST_CASE("a file that is no trace is refused") {
  CHECK_THROWS_WITH_AS(memory_trace::Reader("/dev/null"), "/dev/null: is no memory trace",
                       std::runtime_error);
}
