#include "semcc/cli/files.h"

#include <doctest/doctest.h>

#include <chrono>
#include <iterator>

#include "tests/semcc/compile.h"

namespace fs = std::filesystem;
using namespace semcc::cli;

namespace {

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a folder means the semantics files below it, sorted") {
  const Folder folder;
  const std::string b = folder.write("x/b.psem", ""), a = folder.write("x/y/a.psem", ""),
                    other = folder.write("x/c.txt", "");
  const std::string root = fs::path(b).parent_path().string();
  CHECK(semantics_files({root}) == std::vector<std::string>{b, a});
  CHECK(semantics_files({a, b}) == std::vector<std::string>{a, b});
  CHECK_THROWS_AS(semantics_files({root + "/none"}), FileError);
  fs::remove_all(root + "/y");
  fs::remove(b);
  CHECK_THROWS_AS(semantics_files({root}), FileError);
}

TEST_CASE("only files whose text changes are written") {
  const Folder folder;
  const fs::path root = fs::path(folder.write("seed", "")).parent_path() / "out";
  write_files(root.string(), {{"a/one", "1"}, {"two", "2"}});
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(root / "a/one", long_ago);
  fs::last_write_time(root / "two", long_ago);
  write_files(root.string(), {{"a/one", "1"}, {"two", "3"}});
  CHECK(fs::last_write_time(root / "a/one") == long_ago);
  CHECK(fs::last_write_time(root / "two") != long_ago);
  CHECK(contents(root / "two") == "3");
}

TEST_CASE("what cannot be written is an error") {
  const Folder folder;
  const std::string file = folder.write("file", "");
  CHECK_THROWS_AS(write_files(file, {{"below", "1"}}), FileError);
}

TEST_CASE("a depfile names absolute paths and escapes what make would split") {
  const Folder folder;
  const std::string path = folder.write("deps", "");
  write_depfile(path, {"/out/forms.cpp"}, {"/in/a b.psem", "/in/$c.psem"});
  CHECK(contents(path) == "/out/forms.cpp : \\\n  /in/a\\ b.psem \\\n  /in/$$c.psem\n");
}
