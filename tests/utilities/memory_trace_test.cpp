// What was written is read back.
#include <cstdio>

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

TEST_CASE("a file that is no trace is refused") {
  CHECK_THROWS_WITH_AS(memory_trace::Reader("/dev/null"), "/dev/null: is no memory trace",
                       std::runtime_error);
}
