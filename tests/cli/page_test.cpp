// --html, --sources and --mangled.
#include <fstream>
#include <iterator>

#include "tests/cli/command.h"

namespace {

const char* const scale = R"(.version 8.0
.target sm_90
.address_size 64
.file 1 "/elsewhere/src/scale.cu"
.visible .entry _Z5scalePf(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  .loc 1 3 5
  ld.global.f32 %f1, [%rd3];
  add.rn.f32 %f2, %f1, %f1;
  st.global.f32 [%rd3], %f2;
  ret; }
)";

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a page holds what the tools found, the code and the source lines it is given") {
  const Folder folder;
  const std::string ptx = folder.file("scale.ptx", scale), page = (folder.path / "page.html").string();
  std::filesystem::create_directories(folder.path / "sources" / "src");
  folder.file("sources/src/scale.cu", "one\ntwo\np[i] += p[i];\n");
  const std::string run = "run " + ptx + " --entry _Z5scalePf --block 64 --arg zeros:256 ";
  const Outcome outcome = wedjat(run + "--tool memory_divergence --html " + page + " --sources " +
                                 (folder.path / "sources").string());
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find("scale(float*)") != std::string::npos);
  CHECK(outcome.output.find("_Z5scalePf") == std::string::npos);
  const std::string html = contents(page);
  for (const char* part :
       {"scale(float*)", "ld.global.f32 %f1, [%rd3]", "p[i] += p[i];", "\\u003cem>request\\u003c/em>"})
    CHECK(html.find(part) != std::string::npos);
  // Nothing is fetched: the one address is the name of a namespace.
  const std::size_t address = html.find("http");
  CHECK(html.compare(address, 26, "http://www.w3.org/2000/svg") == 0);
  CHECK(html.find("http", address + 1) == std::string::npos);

  CHECK(wedjat(run + "--mangled").output.find("_Z5scalePf") != std::string::npos);
  // A kernel that failed is named alike.
  const std::string failing = "run " + ptx + " --entry _Z5scalePf --block 64 --arg zeros:4 ";
  CHECK(wedjat(failing + "2>&1").output.find("kernel scale(float*)") != std::string::npos);
  CHECK(wedjat(failing + "--mangled 2>&1").output.find("kernel _Z5scalePf") != std::string::npos);
  CHECK(wedjat(run + "--html /no/such/folder/page.html").code == 3);
}

TEST_CASE("what a replay tells of differences names kernels as people read them") {
  const std::string replay =
      std::string("replay ") + WEDJAT_SOURCE_DIR + "/traces/regression/order/feedback.tar.zst --explain";
  const Outcome readable = wedjat(replay), mangled = wedjat(replay + " --mangled");
  CHECK(readable.output.find(" of react(") != std::string::npos);
  CHECK(readable.output.find("_Z5react") == std::string::npos);
  CHECK(mangled.output.find(" of _Z5react") != std::string::npos);
}

TEST_CASE("of a run that failed there is a page, too") {
  const Folder folder;
  const std::string ptx = folder.file("scale.ptx", scale);
  for (const std::string tool : {"", "--check "}) {
    const std::filesystem::path page = folder.path / ("page" + tool.substr(0, 3) + ".html");
    const Outcome outcome =
        wedjat("run " + ptx + " --block 64 --arg zeros:64 " + tool + "--html " + page.string());
    CHECK(outcome.code == 5);
    const std::string text = contents(page);
    CHECK(text.find("access out of bounds: 4 bytes at global address") != std::string::npos);
    CHECK((text.find("access-out-of-bounds") != std::string::npos) == !tool.empty());
    CHECK(text.find("_Z5scalePf") == std::string::npos);
  }
}
