// A type has one definition in the whole program: two of one name in one namespace are told apart by no
// linker, and functions of templates made for one of them are then run for the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "tests/rules/sources.h"

namespace {

// Types that the file defines in named namespaces, with these; those without a name are the file's own.
std::vector<std::string> types_of(const std::string& text) {
  static const std::regex opened(R"((inline )?namespace ([\w:]*) ?\{)");
  static const std::regex defined(
      R"re((struct|class|union|enum|enum class) (alignas\(.*\) |\[\[\w+\]\] )?(\w+)( final)?( :.*)? ?\{.*)re");
  std::vector<std::string> found, spaces;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, match, opened))
      spaces.push_back(match[2]);
    else if (line.starts_with("}  // namespace") && !spaces.empty())
      spaces.pop_back();
    else if (std::regex_match(line, match, defined) && !spaces.empty()) {
      std::string name;
      for (const std::string& space : spaces) name += space.empty() ? "" : space + "::";
      if (std::ranges::find(spaces, "") == spaces.end()) found.push_back(name + match[3].str());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a type in a namespace is defined once") {
  std::map<std::string, std::string> where;
  for (const Source& source : project_sources({".h", ".hpp", ".cpp"})) {
    if (source.path.starts_with("tests/")) continue;  // many programs
    for (const std::string& type : types_of(source.text)) {
      const auto [known, is_new] = where.emplace(type, source.path);
      if (!is_new) FAIL_CHECK(type, ": in ", known->second, " and in ", source.path);
    }
  }
  CHECK(where.size() > 500);
}

TEST_CASE("the rule sees definitions") {
  CHECK(
      types_of(
          "namespace a::b {\nstruct C;\nstruct D {\n  struct E {\n  };\n};\nnamespace {\nclass F {\n};\n"
          "}  // namespace\nenum class G : std::uint8_t { one };\n}  // namespace a::b\nstruct H {\n};\n") ==
      std::vector<std::string>{"a::b::D", "a::b::G"});
}
