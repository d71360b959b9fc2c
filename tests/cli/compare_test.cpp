// wedjat compare: PTX, folders, recordings.
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

std::string kernel(const std::string& name, const std::string& body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry " + name +
         "(.param .u64 p, .param .u64 q) {\n  .reg .b64 %d<4>; .reg .b32 %r, %f<4>;\n"
         "  ld.param.u64 %d0, [p]; ld.param.u64 %d1, [q]; mov.u32 %r, %tid.x; mul.wide.u32 %d2, %r, 4;\n"
         "  add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2; ld.global.f32 %f0, [%d0];\n" +
         body + "\n  st.global.f32 [%d1], %f1; ret;\n}\n";
}

void check(const Outcome& outcome, int code, const char* part) {
  INFO(outcome.output);
  CHECK(outcome.code == code);
  CHECK(outcome.output.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("two files with the same inputs") {
  const Folder folder;
  std::string input(128, '\0');
  for (unsigned i = 0; i < 32; ++i) {
    const float value = 1.1f + 0.37f * static_cast<float>(i);
    input.replace(4 * i, 4, reinterpret_cast<const char*>(&value), 4);
  }
  const std::string a = folder.file("a.ptx",
                                    kernel("k", "mul.rn.f32 %f1, %f0, %f0; add.rn.f32 %f1, %f1, %f0;")),
                    b = folder.file("b.ptx", kernel("fused", "fma.rn.f32 %f1, %f0, %f0, %f0;")),
                    c = folder.file("c.ptx", kernel("k", "fma.rn.f32 %f1, %f0, %f0, 0f3F800000;"));
  const std::string how =
      " --entry k --block 32 --arg in:" + folder.file("x.bin", input) + " --arg out:y:128";
  check(wedjat("compare " + a + " " + a + how), 0, "the same bits: 0 of ");
  check(wedjat("compare " + a + " " + b + how + " --other-entry fused"), 0, "the same but for rounding: ");
  check(wedjat("compare " + a + " " + c + how), 1, "different: ");
  check(wedjat("compare " + a + " " + b + " --entry k"), 2, "takes 2 arguments, 0 are given");
  const Outcome json = wedjat("compare " + a + " " + c + how + " --json");
  const auto report = nlohmann::json::parse(json.output);
  CHECK(report["verdict"] == "different");
  CHECK(report["first"]["offset"] == 0);
  CHECK(report["not_followed"].empty());
}

// One reads, and does not write, what the other does not even read: no difference.
TEST_CASE("what only one of two kernels reads is the same for both") {
  const Folder folder;
  const std::string a = folder.file("a.ptx",
                                    kernel("k", "mov.f32 %f1, 0f3F800000; ld.global.f32 %f2, [%d0+64];")),
                    b = folder.file("b.ptx", kernel("k", "mov.f32 %f1, 0f3F800000;"));
  const std::string how =
      " --entry k --block 16 --arg in:" + folder.file("x.bin", std::string(128, '\7')) + " --arg out:y:64";
  check(wedjat("compare " + a + " " + b + how), 0, "the same bits: 0 of ");
  check(wedjat("compare " + b + " " + a + how), 0, "the same bits: 0 of ");
}

TEST_CASE("a launch of a recording and another program for it") {
  const Folder folder;
  const std::string saxpy = WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst",
                    one = (folder.path / "one").string();
  REQUIRE(wedjat("extract " + saxpy + " --launch 1 -o " + one).code == 0);
  check(wedjat("compare " + one + " " + one + "/module.ptx"), 0, "the same bits");
  check(wedjat("compare " + saxpy + " --launch 1 " + one), 0, "the same bits");
}

TEST_CASE("what cannot be compared, or is nothing, is told") {
  const Folder folder;
  const std::string saxpy = WEDJAT_SOURCE_DIR "/traces/samples/saxpy.tar.zst",
                    none =
                        folder.file("k.ptx", ".version 8.0\n.target sm_90\n.visible .entry k() { ret; }\n");
  check(wedjat("compare " + saxpy + " " + saxpy), 3, "is neither FILE.ptx nor a folder of a launch");
  check(wedjat("compare " + saxpy + " " + folder.path.string()), 3, "manifest.json");
  check(wedjat("compare " + none + " " + none + " --entry k"), 8, "there is nothing to compare");
}
