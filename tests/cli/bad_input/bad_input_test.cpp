// Every line of cases.txt: the command ends with its exit code and says its text.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/cli/command.h"

namespace {

const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
const std::string kernel = R"(.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .b32 %r<5>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
const std::string local = R"(.visible .entry k()
{
  .local .b8 x[1000000000];
  .reg .b64 %rd1;
  mov.u64 %rd1, x;
  ret;
}
.visible .entry larger()
{
  .local .b8 x[99999999999];
  .reg .b64 %rd1;
  mov.u64 %rd1, x;
  ret;
}
)";
const std::string shared = R"(.visible .entry k()
{
  .shared .b8 x[99999999999];
  .reg .b64 %rd1;
  mov.u64 %rd1, x;
  ret;
}
)";

const std::string two_buffers = ".visible .entry k(.param .u64 p, .param .u64 q) { ret; }\n";

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

TEST_CASE("bad input ends with its exit code and its message") {
  const Folder folder;
  folder.file("k.ptx", head + kernel);
  folder.file("two.ptx", head + two_buffers);
  folder.file("cut.ptx", head.substr(0, head.size() - 4));
  folder.file("endless.ptx", head + ".visible .entry k() { L: bra L; }\n");
  folder.file("local.ptx", head + local);
  folder.file("shared.ptx", head + shared);
  const std::filesystem::path source = WEDJAT_SOURCE_DIR;
  std::filesystem::copy(source / "traces/samples/driver.tar.zst", folder.path);
  const std::string scratch = folder.path.string();
  REQUIRE(wedjat("extract " + scratch + "/driver.tar.zst --launch 0 -o " + scratch + "/bundle").code == 0);

  std::ifstream cases(source / "tests/cli/bad_input/cases.txt");
  int count = 0;
  for (std::string line; std::getline(cases, line);) {
    if (line.empty() || line[0] == '#') continue;
    for (auto at = line.find("{}"); at != line.npos; at = line.find("{}", at)) line.replace(at, 2, scratch);
    const auto first = line.find('|'), second = line.find('|', first + 1);
    REQUIRE(second != line.npos);
    const Outcome outcome = wedjat(line.substr(first + 1, second - first - 1));
    INFO(line, "\n", outcome.output);
    CHECK(outcome.code == std::stoi(line));
    CHECK(outcome.output.find(trimmed(line.substr(second + 1))) != std::string::npos);
    ++count;
  }
  CHECK(count > 90);
}

TEST_CASE("PTX may come through a pipe, and temporary files need a folder") {
  const Folder folder;
  const std::string file = folder.file("k.ptx", head + kernel);
  const Outcome outcome = shell("cat " + file + " | " + WEDJAT_COMMAND + " info /dev/stdin");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(outcome.output.find(".entry k(") != std::string::npos);
  const Outcome nowhere = shell("TMPDIR=/no/such " + std::string(WEDJAT_COMMAND) + " replay " +
                                WEDJAT_SOURCE_DIR "/traces/samples/driver.tar.zst");
  INFO(nowhere.output);
  CHECK(nowhere.code == 3);
  CHECK(nowhere.output.find("$TMPDIR: is no folder for temporary files") != std::string::npos);
}
