// What was written is read back.
#include <cstdio>
#include <random>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"
#include "utilities/memory_trace/format.hpp"

using namespace wedjat::test;

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
    out.begin(0, 0);
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

TEST_CASE("a file that is no trace is refused") {
  CHECK_THROWS_WITH_AS(memory_trace::Reader("/dev/null"), "/dev/null: is no memory trace",
                       std::runtime_error);
}
