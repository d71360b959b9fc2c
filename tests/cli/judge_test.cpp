// wedjat judge: recordings, folders, PTX.
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

const std::string recordings = WEDJAT_SOURCE_DIR "/traces/";

void check(const Outcome& outcome, int code, const char* part) {
  INFO(outcome.output);
  CHECK(outcome.code == code);
  CHECK(outcome.output.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("recordings: 0 where all agrees, 6 where the PTX leaves it open") {
  check(wedjat("judge " + recordings + "samples/saxpy.tar.zst"), 0,
        "saxpy(int, float, float const*, float*): agrees (1 launch)");
  check(wedjat("judge " + recordings + "regression/order/tickets.tar.zst"), 6,
        "select(unsigned int*, unsigned int*, unsigned int const*, int): the PTX leaves it open");
  const Outcome json = wedjat("judge " + recordings + "regression/order/tickets.tar.zst --json");
  CHECK(json.code == 6);
  const auto report = nlohmann::json::parse(json.output);
  CHECK(report["verdict"] == "the PTX leaves it open");
  CHECK(report["kernels"][0]["evidence"][0]["cause"] == "tickets");
  CHECK(report["kernels"][1]["verdict"] == "agrees");
}

TEST_CASE("PTX becomes a folder, whose answers are judged") {
  const Folder folder;
  const std::string ptx =
      folder.file("k.ptx",
                  ".version 8.0\n.target sm_90\n.address_size 64\n"
                  ".visible .entry twice(.param .u64 at, .param .u32 n) {\n"
                  "  .reg .b64 %d; .reg .b32 %r, %n;\n"
                  "  ld.param.u64 %d, [at]; ld.param.u32 %n, [n]; ld.global.u32 %r, [%d];\n"
                  "  mul.lo.u32 %r, %r, %n; st.global.u32 [%d], %r; ret;\n}\n");
  const std::string input = folder.file("x.bin", std::string("\x15\0\0\0", 4));
  const std::string made = (folder.path / "made").string();
  const std::string judge = "judge " + ptx + " --entry twice --arg in:" + input + " --arg u32:2";
  check(wedjat(judge + " -o " + made), 0, "make -C");
  check(wedjat("run " + made), 0, "expected: 0 of 4 bytes differ");
  check(wedjat("judge --answer " + made), 3, "holds no answers");
  const auto bytes = [&](const char* name) {
    std::ifstream in(std::filesystem::path(made) / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string expected = bytes("expected.runs");
  folder.file("made/O0.answer", expected);
  check(wedjat("judge --answer " + made), 0, "O0: agrees; 0 of 4 bytes differ");
  std::string wrong = expected;
  wrong.back() = '\x40';
  folder.file("made/O3.answer", wrong);
  const Outcome found = wedjat("judge --answer " + made);
  check(found, 1, "O3: the machine code is wrong; 1 of 4 bytes differ");
  check(found, 1, "first wrong store: 'st.global.u32 [%d], %r', line 7 of the PTX");
  check(found, 1, "the hardware has 0x4000002a, the PTX means 0x0000002a");
  const auto json = nlohmann::json::parse(wedjat("judge --json --answer " + made).output);
  CHECK(json["verdict"] == "the machine code is wrong");
  CHECK(json["answers"][1]["compiled"] == "O3");
  CHECK(json["answers"][1]["first"]["instructions"].size() == 4);
}

// A toolkit of ours, whose ptxas gives PTX back, which our driver takes; at -O3 it subtracts where it should
// add.
TEST_CASE("PTX is compiled at every level and run on the GPU of this machine") {
  const Folder folder;
  namespace fs = std::filesystem;
  const fs::path toolkit = folder.path / "toolkit";
  fs::create_directories(toolkit / "bin");
  fs::create_directories(toolkit / "lib64/stubs");
  fs::create_directories(toolkit / "include");
  for (const char* const headers : {"/header", "/abi"})
    for (const auto& header : fs::directory_iterator(WEDJAT_CUDA_HEADERS + std::string(headers)))
      fs::create_symlink(header.path(), toolkit / "include" / header.path().filename());
  fs::create_symlink(WEDJAT_LIVE_DRIVER, toolkit / "lib64/stubs/libcuda.so");
  folder.file("toolkit/bin/ptxas",
              "#!/bin/sh\nif [ \"$2\" = -O3 ]; then sed s/add.u32/sub.u32/ \"$5\" > \"$4\"; else cp \"$5\" "
              "\"$4\"; fi\n");
  fs::permissions(toolkit / "bin/ptxas", fs::perms::owner_all);
  const std::string ptx = folder.file("k.ptx",
                                      ".version 8.0\n.target sm_90\n.address_size 64\n"
                                      ".visible .entry k(.param .u64 at) {\n  .reg .b64 %d; .reg .b32 %r;\n"
                                      "  ld.param.u64 %d, [at]; ld.global.u32 %r, [%d];\n"
                                      "  add.u32 %r, %r, 7; st.global.u32 [%d], %r; ret;\n}\n");
  const std::string judge =
      " judge " + ptx + " --entry k --arg in:" + folder.file("x.bin", std::string("\x15\0\0\0", 4));
  const Outcome judged =
      shell("CUDA=" + toolkit.string() + " " WEDJAT_COMMAND " live -- " WEDJAT_COMMAND + judge);
  for (const char* const level : {"O0", "O1", "O2", "driver"})
    check(judged, 1, (std::string(level) + ": agrees; 0 of 4 bytes differ").c_str());
  check(judged, 1, "O3: the machine code is wrong");
  check(judged, 1, "the hardware has 0x0000000e, the PTX means 0x0000001c");
  // Where there is no toolkit, that is told, and what to do.
  const Outcome nothing = shell("CUDA=/nowhere " WEDJAT_COMMAND + judge);
  check(nothing, 4, "nothing here answers what the kernel leaves");
  check(nothing, 4, "--output FOLDER makes a folder");
}

TEST_CASE("comments of a PTX file may say how it is launched") {
  const Folder folder;
  const std::string text =
      "// wedjat: launch k block=2\n// wedjat: in a: u32[2] = 3 4\n// wedjat: out y: u32[2]\n"
      "// wedjat: expect y: u32 = 4 5\n.version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 y) {\n  .reg .b64 %d<4>; .reg .b32 %r<3>;\n"
      "  ld.param.u64 %d0, [a]; ld.param.u64 %d1, [y]; mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;\n"
      "  add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2; ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, 1;\n"
      "  st.global.u32 [%d1], %r1; ret;\n}\n";
  const std::string made = (folder.path / "made").string();
  check(wedjat("judge " + folder.file("k.ptx", text) + " -o " + made), 0, "k with 8 bytes that it writes");
  check(wedjat("run " + made), 0, "expected: 0 of 8 bytes differ");
  check(
      wedjat("judge " + folder.file("two.ptx", text.substr(0, text.find(".version")) + text) + " -o " + made),
      2, "its comments describe 2 launches");
  check(wedjat("judge " + folder.file("none.ptx", text.substr(text.find(".version"))) + " -o " + made), 2,
        "--entry is required");
}

TEST_CASE("what cannot be judged is told") {
  const Folder folder;
  const std::string ptx = folder.file("k.ptx",
                                      ".version 8.0\n.target sm_90\n.address_size 64\n"
                                      ".visible .entry k(.param .u32 n) { ret; }\n");
  const std::string made = (folder.path / "made").string();
  check(wedjat("judge"), 2, "--answer is required");
  check(wedjat("judge " + ptx), 2, "--entry is required");
  check(wedjat("judge " + ptx + " -o " + made), 2, "--entry is required");
  check(wedjat("judge " + ptx + " --entry k -o " + made), 2, "takes 1 arguments, 0 are given");
  check(wedjat("judge " + ptx + " --entry k --arg u64:1 -o " + made), 2, "has 4 bytes, this argument 8");
  check(wedjat("judge " + ptx + " --entry other --arg u32:1 -o " + made), 4, "no kernel other");
  check(wedjat("judge /no/such/trace"), 3, "/no/such/trace");
  CHECK_FALSE(std::filesystem::exists(made));
  REQUIRE(wedjat("judge " + ptx + " --entry k --arg u32:1 -o " + made).code == 0);
  check(wedjat("judge " + made), 3, "does not say what hardware computed");
}

TEST_CASE("a kernel that never ends is given up, and it is said how to let it run on") {
  const Folder folder;
  const std::string ptx = folder.file("k.ptx",
                                      ".version 8.0\n.target sm_90\n.address_size 64\n"
                                      ".visible .entry k() {\nAGAIN: bra AGAIN;\n}\n");
  const Outcome outcome = wedjat("judge " + ptx + " --entry k -o " + (folder.path / "made").string());
  check(outcome, 5, "the CTA ran more than 50000000 steps");
  check(outcome, 5, "--step-limit 500000000 lets it run longer");
  check(wedjat("judge " + ptx + " --entry k --step-limit 100 -o " + (folder.path / "made").string()), 5,
        "more than 100 steps");
}
