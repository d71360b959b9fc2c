// --check, --suppress, exit codes of findings.
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

// Both warps write the word of the other and read their own; `between` stands between.
std::string exchange(const std::string& between) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "exchange.cu"
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<9>; .shared .b32 s[64];
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  xor.b32 %r5, %r3, 128;
  add.s32 %r6, %r2, %r5;
  .loc 1 7 3
)" + between +
         R"(
  ld.shared.u32 %r7, [%r6];
  cvt.u64.u32 %rd2, %r3;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
  ret; }
)";
}

}  // namespace

TEST_CASE("--check runs every checker; findings end with 6 and say where") {
  const Folder folder;
  const std::string run =
      " --entry k --block 64 --arg out:" + (folder.path / "out.bin").string() + ":256 --check";
  const std::string racy = folder.file("racy.ptx", exchange("st.shared.u32 [%r4], %r1;"));
  const std::string unset = folder.file("unset.ptx", exchange(""));
  const std::string good = folder.file("good.ptx", exchange("st.shared.u32 [%r4], %r1;\n  bar.sync 0;"));

  const Outcome clean = wedjat("run " + good + run);
  CHECK(clean.code == 0);
  CHECK(clean.output.find("race_check:") != std::string::npos);
  CHECK(clean.output.find("leak") == std::string::npos);
  CHECK(clean.output.find("memory_check:") != std::string::npos);

  const Outcome race = wedjat("run " + racy + run);
  CHECK(race.code == 6);
  for (const char* part : {"error [shared-race]", "kernel k", "racy.ptx:16", "exchange.cu:7", "CTA 0 thread"})
    CHECK(race.output.find(part) != std::string::npos);

  const Outcome undefined = wedjat("run " + unset + run + " --json");
  CHECK(undefined.code == 6);
  const auto json = nlohmann::json::parse(undefined.output);
  std::size_t errors = 0;
  for (const auto& tool : json["tools"]) errors += tool["errors"].get<std::size_t>();
  CHECK(errors == 1);

  const std::string list = folder.file("list.txt", "shared-race k\nuninitialised-shared other\n");
  // Who comes too early finds what nobody wrote: two checkers see the race.
  const std::string both = folder.file("both.txt", "shared-race k\nuninitialised-*\n");
  CHECK(wedjat("run " + racy + run + " --suppress " + both).code == 0);
  CHECK(wedjat("run " + racy + run + " --suppress " + list).code == 6);
  CHECK(wedjat("run " + unset + run + " --suppress " + list).code == 6);
  CHECK(wedjat("run " + good + run + " --suppress /no/such/list").code != 0);
}

TEST_CASE("a checker that is named keeps its options beside --check") {
  const Folder folder;
  const std::string racy = folder.file("racy.ptx", exchange("st.shared.u32 [%r4], %r1;"));
  const Outcome named =
      wedjat("run " + racy +
             " --entry k --block 64 --arg zeros:256 --check --tool race_check,spaces=global "
             "--tool memory_check,uninitialised=0");
  CHECK(named.code == 0);
  CHECK(named.output.find("race_check:") == named.output.rfind("race_check:"));
}

TEST_CASE("what stops a kernel is a finding with its place, and ends with 5") {
  const Folder folder;
  const std::string out = folder.file("out.ptx", exchange("st.shared.u32 [%r4+256], %r1;"));
  const Outcome outcome = wedjat("run " + out + " --entry k --block 64 --arg zeros:256 --check --json");
  CHECK(outcome.code == 5);
  CHECK(outcome.output.find("\"kind\": \"access-out-of-bounds\"") != std::string::npos);
  CHECK(outcome.output.find("\"source_line\": 7") != std::string::npos);
  CHECK(outcome.output.find("\"thread\": 0") != std::string::npos);
}

TEST_CASE("buffers of zeros are written, and results need not be kept to count") {
  const Folder folder;
  const std::string reads = folder.file(
      "reads.ptx", exchange("ld.global.u32 %r8, [%rd1];\n  st.shared.u32 [%r4], %r8;\n  bar.sync 0;"));
  const std::string run = "run " + reads + " --entry k --block 64 --check --arg ";
  CHECK(wedjat(run + "zeros:256").code == 0);
  CHECK(wedjat(run + "out:" + (folder.path / "out.bin").string() + ":256").code == 6);
  CHECK(wedjat("run " + folder.file("unset.ptx", exchange("")) +
               " --entry k --block 64 --check --arg zeros:256")
            .code == 6);
}

TEST_CASE("a command without its tools says so: nothing is checked by nobody") {
  namespace fs = std::filesystem;
  // A hard link: the command looks for its tools beside the path it was started by.
  const fs::path place = fs::path(WEDJAT_COMMAND).parent_path().parent_path() / "alone";
  fs::remove_all(place);
  fs::create_directories(place / "bin");
  fs::create_hard_link(WEDJAT_COMMAND, place / "bin" / "wedjat");
  const Folder folder;
  const std::string ptx = folder.file("empty.ptx", ".version 8.0\n.target sm_90\n.entry k() { ret; }\n");
  for (const std::string& arguments : {std::string("tools"), "run " + ptx + " --entry k --check"}) {
    INFO(arguments);
    const Outcome outcome = shell((place / "bin" / "wedjat").string() + " " + arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.output.find(" is installed beside this command") != std::string::npos);
  }
  fs::remove_all(place);
}
