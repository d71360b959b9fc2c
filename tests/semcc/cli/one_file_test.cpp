// An instruction is one semantics file: beside the shared vocabulary nothing else is touched to have all of
// it.
#include <doctest/doctest.h>

#include <iterator>
#include <sstream>

#include "semcc/cli/commands.h"
#include "semcc/eval/text.h"
#include "tests/semcc/compile.h"

namespace fs = std::filesystem;
using namespace semcc;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("core.psem and integer/add.psem alone give executors, rows, a manual page and tests of add") {
  const fs::path semantics = fs::path(WEDJAT_SOURCE_DIR) / "semantics";
  const Folder folder;
  const std::string core = folder.write("semantics/core.psem", contents(semantics / "core.psem"));
  const std::string add =
      folder.write("semantics/integer/add.psem", contents(semantics / "integer/add.psem"));
  const std::string root = fs::path(core).parent_path().string();
  const fs::path out = fs::path(root).parent_path() / "out";

  CHECK(cli::check({root}) == cli::exit_status::ok);
  for (const char* kind : {"executors", "forms", "manual"})
    CHECK(cli::emit({.kinds = {kind},
                     .paths = {root},
                     .output = (out / kind).string(),
                     .depfile = (out / kind / "deps").string()}) == cli::exit_status::ok);

  const std::string executors = contents(out / "executors/integer/add.cpp"),
                    forms = contents(out / "forms/forms.cpp");
  CHECK(executors.find("_full(") != std::string::npos);
  CHECK(executors.find("_masked(") != std::string::npos);
  for (const char* form : {"\"add.s32\"sv", "\"add.sat.s32\"sv", "\"add.u16x2\"sv"})
    CHECK(forms.find(form) != std::string::npos);
  CHECK(contents(out / "manual/add.html").find("add.sat.s32 0x7fffffff, 1") != std::string::npos);
  CHECK(contents(out / "manual/index.html").find("add.html") != std::string::npos);
  const std::string deps = contents(out / "forms/deps");
  CHECK(deps.find(add) != std::string::npos);
  CHECK(deps.find(core) != std::string::npos);

  const Compiled compiled = compile({add});
  std::size_t examples = 0;
  for (const ir::Family& family : compiled.program.families) {
    for (const ir::Example& example : family.examples) {
      ++examples;
      CHECK(eval::check_example(compiled.program, example).value_or("") == "");
    }
  }
  CHECK(examples >= 3);
  std::ostringstream answer;
  CHECK(eval::eval_command(compiled.program, "add.sat.s32 0x7fffffff, 1", answer) == 0);
  CHECK(answer.str().find("0x7fffffff") != std::string::npos);
}

TEST_CASE("an instruction that is gone is gone everywhere") {
  const Folder folder;
  const std::string none = folder.write("semantics/core.psem", "types int = { u32 };\n");
  const std::string root = fs::path(none).parent_path().string(), out = root + "/out";
  CHECK(cli::emit({.kinds = {"forms"}, .paths = {root}, .output = out}) == cli::exit_status::ok);
  CHECK(contents(out + "/forms.cpp").find("all_forms() { return {}; }") != std::string::npos);
}

TEST_CASE("several kinds in one run have a folder each, and the same texts as alone") {
  const fs::path semantics = fs::path(WEDJAT_SOURCE_DIR) / "semantics";
  const Folder folder;
  const std::string core = folder.write("semantics/core.psem", contents(semantics / "core.psem"));
  folder.write("semantics/integer/add.psem", contents(semantics / "integer/add.psem"));
  const std::string root = fs::path(core).parent_path().string();
  const fs::path out = fs::path(root).parent_path() / "out", deps = out / "deps";
  const std::vector<std::pair<std::string, std::string>> made{
      {"executors", "integer/add.cpp"}, {"forms", "forms.cpp"}, {"lanes", "integer.cpp"}};

  CHECK(cli::emit({.kinds = {"executors", "forms", "lanes"},
                   .paths = {root},
                   .output = (out / "together").string(),
                   .depfile = deps.string()}) == cli::exit_status::ok);
  for (const auto& [kind, name] : made) {
    CHECK(cli::emit({.kinds = {kind}, .paths = {root}, .output = (out / kind).string()}) ==
          cli::exit_status::ok);
    const fs::path together = out / "together" / kind / name;
    CHECK(contents(together) == contents(out / kind / name));
    CHECK(contents(deps).find(together.string()) != std::string::npos);
  }
}
