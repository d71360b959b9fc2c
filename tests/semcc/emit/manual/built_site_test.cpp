// The manual that the build made, as files: complete, without dead links, and with the numbers of this
// emulator.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "emulator/fidelity/inventory.h"

namespace fs = std::filesystem;

namespace {

std::map<std::string, std::string> read_site() {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(WEDJAT_MANUAL)) {
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

}  // namespace

TEST_CASE("every link of the built manual leads to a file and a place in it") {
  const auto files = read_site();
  REQUIRE(files.contains("index.html"));
  REQUIRE(files.contains("fidelity.html"));
  static const std::regex link("(?:href|src)=\"([^\"#]*)(?:#([^\"]*))?\"");
  std::size_t links = 0;
  for (const auto& file : files) {
    const std::string &name = file.first, &text = file.second;
    INFO(name);
    CHECK(text.find("://") == std::string::npos);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it, ++links) {
      const std::string page = (*it)[1].length() == 0 ? name : (*it)[1].str(), place = (*it)[2];
      INFO(page, "#", place);
      REQUIRE(files.contains(page));
      if (!place.empty()) CHECK(files.at(page).find("id=\"" + place + "\"") != std::string::npos);
    }
  }
  CHECK(links > 500);
}

TEST_CASE("every family of the semantics has its page, and every opcode of the inventory its line") {
  const auto files = read_site();
  std::size_t families = 0;
  static const std::regex instruction(R"((?:^|\n)instruction ([\w.]+))");
  for (const auto& entry : fs::recursive_directory_iterator(WEDJAT_SOURCE_DIR "/semantics")) {
    if (entry.path().extension() != ".psem") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), instruction), end; it != end; ++it, ++families) {
      bool found = false;
      for (const auto& file : files)
        found = found || file.second.find("<section id=\"" + (*it)[1].str() + "\">") != std::string::npos;
      CHECK_MESSAGE(found, (*it)[1].str());
    }
  }
  CHECK(families > 200);
  std::set<std::string_view> opcodes;
  for (const auto& row : wedjat::fidelity::inventory())
    if (row.runs_on_sm_90a) opcodes.insert(row.opcode());
  for (const std::string_view opcode : opcodes)
    CHECK_MESSAGE(std::regex_search(files.at("fidelity.html"),
                                    std::regex("<td>(<a [^>]*>)?" + std::string(opcode) + "<")),
                  opcode);
}
