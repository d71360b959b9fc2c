// What documents name exists: links, and files and folders in backticks. Names of files change; this finds
// the documents that still say the old one.
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "tests/rules/sources.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = WEDJAT_SOURCE_DIR;

// The text without what is indented by four or stands between fences: commands, output and code, which name
// files of whoever runs them.
std::string prose(const std::string& text) {
  std::istringstream in(text);
  std::string kept;
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.rfind("```", 0) == 0;
    if (fence) fenced = !fenced;
    if (!fence && !fenced && line.rfind("    ", 0) != 0) kept += line + "\n";
  }
  return kept;
}

std::vector<std::string> found(const std::string& text, const std::regex& shape) {
  std::vector<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), shape), end; it != end; ++it)
    all.push_back((*it)[1]);
  return all;
}

// Headings as the links to them spell them: in lower case, without punctuation, hyphens for spaces.
std::set<std::string> anchors(const std::string& text) {
  static const std::regex heading("(?:^|\n)#+ ([^\n]+)");
  std::set<std::string> all;
  for (const std::string& title : found(text, heading)) {
    std::string anchor;
    for (const char c : title)
      if (c == ' ' || c == '-')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80))
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    all.insert(anchor);
  }
  return all;
}

// All files and folders of the project, from its root: what a name in backticks may mean.
const std::set<std::string>& tree() {
  static const std::set<std::string> all = [] {
    std::set<std::string> paths;
    for (const auto& top : fs::directory_iterator(root)) {
      const std::string name = top.path().filename().string();
      if (name.rfind("build", 0) == 0 && top.is_directory()) continue;
      if (name[0] == '.' && name != ".ci" && name != ".clang-format" && name != ".clang-tidy") continue;
      paths.insert(name);
      if (!top.is_directory()) continue;
      for (const auto& entry : fs::recursive_directory_iterator(top.path()))
        paths.insert(fs::relative(entry.path(), root).generic_string());
    }
    return paths;
  }();
  return all;
}

// Whether `name` is a path below `folder` or one of the folders around it, or the end of a path below
// `folder`.
bool exists(const std::string& name, const fs::path& folder) {
  for (fs::path from = folder;; from = from.parent_path()) {
    if (tree().count((from / name).lexically_normal().generic_string())) return true;
    if (from.empty()) break;
  }
  const std::string start = folder.empty() ? "" : folder.generic_string() + "/", tail = "/" + name;
  for (auto it = tree().lower_bound(start); it != tree().end() && it->rfind(start, 0) == 0; ++it)
    if (it->size() > tail.size() && it->compare(it->size() - tail.size(), tail.size(), tail) == 0)
      return true;
  return false;
}

// A name that stands for many (NAME.py, X.psem) or lies in the build is no file of the tree.
bool stands_for_others(const std::string& name) {
  static const std::regex placeholder("(^|/)[A-Z]+(_|\\.(?!md)|/|$)");
  return name.rfind("build", 0) == 0 || std::regex_search(name, placeholder);
}

std::vector<Source> documents() {
  std::vector<Source> all = project_sources({".md"});
  for (const char* top : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) {
    std::ifstream in(root / top, std::ios::binary);
    all.push_back({top, {std::istreambuf_iterator<char>(in), {}}});
  }
  return all;
}

}  // namespace

TEST_CASE("links in documents lead somewhere") {
  static const std::regex link(R"(\]\(([^)\s]+)\))");
  int seen = 0;
  for (const Source& document : documents())
    for (const std::string& target : found(prose(document.text), link)) {
      if (target.find("://") != std::string::npos) continue;
      ++seen;
      INFO(document.path, " links to ", target);
      const auto hash = target.find('#');
      const fs::path folder = fs::path(document.path).parent_path();
      const fs::path file =
          hash == 0 ? root / document.path : root / (folder / target.substr(0, hash)).lexically_normal();
      REQUIRE(fs::exists(file));
      if (hash == std::string::npos) continue;
      std::ifstream in(file, std::ios::binary);
      CHECK(anchors({std::istreambuf_iterator<char>(in), {}}).count(target.substr(hash + 1)) == 1);
    }
  CHECK(seen > 0);
}

TEST_CASE("files and folders that documents name in backticks exist") {
  static const std::regex name(
      R"(`((?:\.\./)*[A-Za-z0-9_+.\-]+(?:/[A-Za-z0-9_+.\-]+)*(?:\.(?:h|hpp|cpp|c|py|psem|md|txt|yaml|json|cu|ptx|sh|cmake|g4|js|mjs|css|smt2|zst|truth)|/))`)");
  int seen = 0;
  for (const Source& document : documents())
    for (std::string path : found(prose(document.text), name)) {
      if (stands_for_others(path)) continue;
      ++seen;
      if (path.back() == '/') path.pop_back();
      INFO(document.path, " names ", path);
      CHECK(exists(path, fs::path(document.path).parent_path()));
    }
  CHECK(seen > 0);
}

TEST_CASE("files that comments name from the root exist") {
  static const std::regex comment("//([^\n]*)"),
      name(
          R"(\b((?:semantics|semcc|emulator|interposer|traces|utilities|cli)/[a-z0-9_/]+\.(?:h|hpp|cpp|psem|md|py|yaml|txt))\b)");
  int seen = 0;
  for (const Source& source : project_sources({".h", ".hpp", ".cpp", ".c"})) {
    if (source.path.rfind("tests/", 0) == 0) continue;
    for (const std::string& text : found(source.text, comment))
      for (const std::string& path : found(text, name)) {
        ++seen;
        INFO(source.path, " names ", path);
        CHECK(tree().count(path) == 1);
      }
  }
  CHECK(seen > 0);
}

TEST_CASE("targets that documents name exist") {
  // `ninja -C build A B`, `--target A`, and "target `A`"; in commands, too.
  static const std::regex ninja(R"(ninja -C \S+((?: [a-z][a-z_\-]+)+))"),
      option(R"(--target ([a-z][a-z_\-]+))"), quoted(R"(target `([a-z][a-z_\-]+)`)"),
      word(R"(([A-Za-z_][A-Za-z_\-]*))");
  std::set<std::string> known;  // every word of the build files: some targets are made in loops
  for (const Source& source : project_sources({".txt", ".cmake"}))
    for (const std::string& each : found(source.text, word)) known.insert(each);
  int seen = 0;
  const auto check = [&](const std::string& document, const std::string& target) {
    ++seen;
    INFO(document, " names the target ", target);
    CHECK(known.count(target) == 1);
  };
  for (const Source& document : documents()) {
    for (const std::string& targets : found(document.text, ninja))
      for (const std::string& target : found(targets, word)) check(document.path, target);
    for (const std::regex& shape : {option, quoted})
      for (const std::string& target : found(document.text, shape)) check(document.path, target);
  }
  CHECK(seen > 0);
}
