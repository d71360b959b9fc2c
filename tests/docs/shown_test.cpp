// What the documents show is what a reader gets: their files are written, their commands are run.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::istream& in) {
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A folder as a reader has it after the build: the tree's semantics (a copy, for documents add to it) and
// recordings, and the commands on the path.
class Desk {
 public:
  Desk() {
    fs::create_directories(folder_);
    const fs::path root = WEDJAT_SOURCE_DIR;
    fs::copy(root / "semantics", folder_ / "semantics", fs::copy_options::recursive);
    fs::create_directory_symlink(root / "traces", folder_ / "traces");
  }
  ~Desk() { fs::remove_all(folder_); }

  void write(const std::string& name, const Lines& text) const {
    std::ofstream out(folder_ / name);
    for (const std::string& line : text) out << line << '\n';
  }

  // `$?` is what the command before ended with.
  Lines run(const std::string& command) {
    std::ofstream(folder_ / ".command")
        << "exec 2>&1; cd '" << folder_.string() << "'; PATH='" WEDJAT_BIN "':$PATH; (exit " << code_ << "); "
        << command << '\n';
    FILE* pipe = popen(("bash '" + (folder_ / ".command").string() + "'").c_str(), "r");
    REQUIRE(pipe);
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
      output.append(buffer.data(), got);
    const int status = pclose(pipe);
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::istringstream in(output);
    return lines_of(in);
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("wedjat-documents-" + std::to_string(getpid()));
  int code_ = 0;
};

const std::string any = "…";

bool same_line(const std::string& shown, const std::string& got) {
  const std::size_t gap = shown.find(any);
  if (gap == std::string::npos) return shown == got;
  if (got.compare(0, gap, shown, 0, gap) != 0) return false;
  const std::string rest = shown.substr(gap + any.size());
  for (std::size_t from = gap; from <= got.size(); ++from)
    if (same_line(rest, got.substr(from))) return true;
  return false;
}

bool same(const Lines& shown, std::size_t s, const Lines& got, std::size_t g) {
  if (s == shown.size()) return g == got.size();
  if (shown[s] == any) {
    for (std::size_t from = g; from <= got.size(); ++from)
      if (same(shown, s + 1, got, from)) return true;
    return false;
  }
  return g < got.size() && same_line(shown[s], got[g]) && same(shown, s + 1, got, g + 1);
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Runs the commands of a console fence; how many.
int follow(Desk& desk, const Lines& fence) {
  int commands = 0;
  for (std::size_t i = 0; i < fence.size();) {
    REQUIRE(fence[i].rfind("$ ", 0) == 0);
    const std::string command = fence[i].substr(2);
    Lines shown;
    for (++i; i < fence.size() && fence[i].rfind("$ ", 0) != 0; ++i) shown.push_back(fence[i]);
    const Lines got = desk.run(command);
    INFO(command, "\nprinted\n", joined(got), "and the document shows\n", joined(shown));
    CHECK(same(shown, 0, got, 0));
    ++commands;
  }
  return commands;
}

int follow(const fs::path& document) {
  std::ifstream in(document);
  const Lines lines = lines_of(in);
  Desk desk;
  int commands = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind("```", 0) != 0) continue;
    const std::string head = lines[i].substr(3);
    Lines fence;
    for (++i; i < lines.size() && lines[i] != "```"; ++i) fence.push_back(lines[i]);
    const std::size_t space = head.find(' ');
    if (head == "console")
      commands += follow(desk, fence);
    else if (space != std::string::npos)
      desk.write(head.substr(space + 1), fence);
  }
  return commands;
}

}  // namespace

TEST_CASE("documents show what happens") {
  const fs::path root = WEDJAT_SOURCE_DIR;
  std::vector<fs::path> documents = {root / "semantics" / "LANGUAGE.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  int commands = 0;
  for (const fs::path& document : documents) {
    INFO(document.string());
    commands += follow(document);
  }
  CHECK(commands > 10);
}

TEST_CASE("what a document shows and does not happen is noticed") {
  CHECK(same({"a …c", any, "end"}, 0, {"a b c", "x", "y", "end"}, 0));
  CHECK_FALSE(same({"a …c"}, 0, {"a b d"}, 0));
  CHECK_FALSE(same({"one"}, 0, {"one", "two"}, 0));
  CHECK_FALSE(same({"one", any}, 0, {}, 0));
  Desk desk;
  CHECK(desk.run("exit 3").empty());
  CHECK(desk.run("echo $?") == Lines{"3"});
}
