// Ctrl-C during a kernel that does not end.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
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

TEST_CASE("a signal ends what waits for somebody who does not come") {
  const Folder folder;
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const Outcome waiting = shell("timeout -k 20 -s INT 1 " WEDJAT_COMMAND " run " + pipe);
  CHECK(waiting.code == 124);  // `timeout` did not have to kill it
  CHECK(waiting.output.find("did not come to an end within 5 seconds") != std::string::npos);
}

// A test that takes its time, so the signal comes between two candidates or during one.
TEST_CASE("a reduction that is interrupted keeps what it reached, and says so in a line") {
  const Folder folder;
  const std::string file = folder.file("case.ptx", R"(// wedjat: launch k block=32
// wedjat: out y: u32[32]
// wedjat: ignore y: u32
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 y) {
  .reg .b32 %r<9>; .reg .b64 %d<9>;
  mov.u32 %r1, 1;
  mov.u32 %r2, 2;
  mov.u32 %r3, 3;
  mov.u32 %r4, 4;
  mov.u32 %r5, 5;
  mov.u32 %r6, 6;
  mov.u32 %r7, 7;
  ld.param.u64 %d1, [y];
  st.global.u32 [%d1+4096], %r1;
  ret;
}
)");
  const std::string slow = folder.file("slow", "#!/bin/sh\nsleep 0.2\ngrep -q st.global $1\n");
  std::filesystem::permissions(slow, std::filesystem::perms::owner_all);
  const std::string out = (folder.path / "out").string();
  const std::string spinning = folder.file("spinning.ptx", R"(// wedjat: launch k block=32
// wedjat: fails "instructions"
.version 8.0
.target sm_90
.address_size 64
.visible .entry k() {
  .reg .b32 %r<9>;
  mov.u32 %r1, 1;
again:
  bra again;
}
)");
  const auto interrupted = [&](const std::string& options) {
    const Outcome outcome =
        shell("timeout --preserve-status -s INT 2 " WEDJAT_COMMAND " reduce -o " + out + " " + options);
    CAPTURE(outcome.output);
    CHECK(outcome.code == 130);
    CHECK(outcome.output.find("CTA") == std::string::npos);
    CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 1);
    CHECK(outcome.output.find("wedjat: error: interrupted ") != std::string::npos);
    return outcome.output;
  };
  CHECK(interrupted(file + " --threads 1 --test " + slow).find("statements are") != std::string::npos);
  CHECK(std::filesystem::exists(out + "/reduced.ptx"));
  CHECK(std::filesystem::exists(out + "/report.md"));
  // Several files; and in the midst of a candidate that never ends.
  const std::string other = (folder.path / "other.ptx").string();
  std::filesystem::copy_file(file, other);
  interrupted(file + " " + other + " --threads 2 --test " + slow);
  CHECK(std::filesystem::exists(out + "/case/reduced.ptx"));
  interrupted(spinning + " --step-limit 0 --keeps instructions");
}
