// Ctrl-C during a kernel that does not end.
#include <doctest/doctest.h>

#include <string>

#include "tests/cli/command.h"

TEST_CASE("a signal ends the launch, which says where it was") {
  const Folder folder;
  const std::string file = folder.file("endless.ptx", R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k() {
again:
  bra again;
}
)");
  const auto run = [&](const std::string& signal, const std::string& threads) {
    return shell("timeout --preserve-status -s " + signal + " 1 " WEDJAT_COMMAND " run " + file +
                 " --entry k --grid 8 --block 64 --threads " + threads);
  };
  for (const char* threads : {"1", "2"}) {
    const Outcome ended = run("INT", threads);
    CHECK(ended.code == 130);
    CHECK(ended.output.find("interrupted after ") != std::string::npos);
    CHECK(ended.output.find("kernel k, of 8 CTAs") != std::string::npos);
    CHECK(ended.output.find("CTA (0,0,0)") != std::string::npos);
    CHECK(ended.output.find("endless.ptx:6 'bra again' in k") != std::string::npos);
  }
  CHECK(run("TERM", "1").code == 143);
  // Twice at once, as `timeout` may: still the report.
  const Outcome twice =
      shell("( " WEDJAT_COMMAND " run " + file +
            " --entry k --grid 8 --block 64 & sleep 0.5; kill -INT $!; sleep 0.01; kill -INT $!; wait $! )");
  CHECK(twice.output.find("interrupted after ") != std::string::npos);
}
