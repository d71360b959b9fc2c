#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

namespace {

const std::string source = WEDJAT_SOURCE_DIR;

int run(const std::string& arguments) {
  const int status = std::system((std::string(SEMCC) + " " + arguments + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("0: done") {
  CHECK(run("--help") == 0);
  for (const char* command : {"check", "emit", "eval", "print"})
    CHECK(run(std::string(command) + " --help") == 0);
  CHECK(run("check " + source + "/tests/semcc/ir/cases") == 0);
  CHECK(run("print " + source + "/tests/semcc/ir/cases") == 0);
  CHECK(run("eval 'add.sat.s32 0x7fffffff, 1' --semantics " + source + "/semantics/integer") == 0);
}

TEST_CASE("1: the semantics are wrong") {
  CHECK(run("check " + source + "/tests/semcc/fail") == 1);
  CHECK(run("print " + source + "/tests/semcc/fail") == 1);
  CHECK(run("check " + source + "/tests/semcc/cli/wrong_example.psem") == 1);
  CHECK(run("emit forms -o /nonexistent/folder " + source + "/tests/semcc/fail") == 1);
}

TEST_CASE("2: wrong usage, unreadable or unwritable files") {
  CHECK(run("") == 2);
  CHECK(run("frobnicate") == 2);
  CHECK(run("check") == 2);
  CHECK(run("check no-such-file.psem") == 2);
  CHECK(run("check " + source + "/cmake") == 2);  // a folder without semantics
  CHECK(run("eval 'add.sat.s33 0x7fffffff, 1' --semantics " + source + "/semantics/integer") == 2);
  CHECK(run("eval 'add.sat.s32 1' --semantics " + source + "/semantics/integer") == 2);
  CHECK(run("emit nonsense -o /tmp " + source + "/tests/semcc/ir/cases") == 2);
  CHECK(run("emit forms,nonsense -o /tmp " + source + "/tests/semcc/ir/cases") == 2);
  CHECK(run("emit forms limits -o /tmp " + source + "/tests/semcc/ir/cases") == 2);  // limits is no file
  CHECK(run("emit forms -o /dev/null/folder " + source + "/tests/semcc/ir/cases") == 2);
}
