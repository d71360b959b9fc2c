// The live driver against tables of what GPUs answered.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/interposer/live/live.h"

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

// "CODE\tcall" a line; remarks begin with '#'.
Rows lines_of(std::istream&& text) {
  Rows lines;
  for (std::string line; std::getline(text, line);)
    if (const auto tab = line.find('\t'); tab != line.npos && line[0] != '#')
      lines.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  return lines;
}

Rows table(const std::string& name) {
  return lines_of(std::ifstream(std::string(WEDJAT_SOURCE_DIR) + "/tests/interposer/live/" + name));
}

// Row by row, but where `differing` says what is answered here, as it must of what ends a process with the
// GPU's driver ("signal 11") or does not end there ("signal 14").
void check_rows(const Rows& ours, const Rows& measured, const Rows& differing) {
  CHECK(ours.size() == measured.size());
  std::set<std::string> found;
  for (std::size_t i = 0; i < std::min(ours.size(), measured.size()); ++i) {
    const std::string &answer = ours[i].first, &call = ours[i].second;
    INFO(call);
    CHECK(call == measured[i].second);
    const bool differs = std::ranges::count(differing, ours[i]) != 0;
    if (answer != measured[i].first && differs)
      found.insert(call);
    else
      CHECK(answer == measured[i].first);
  }
  for (const auto& row : differing) {
    INFO(row.second, ": differs no more");
    CHECK(found.contains(row.second));
  }
}

}  // namespace

TEST_CASE("what is asked for in numbers is told as a GPU of compute capability 9.0 tells it") {
  for (const std::string program : {"values", "code"}) {
    const std::string table = program == "values" ? "h100.txt" : program + "_h100.txt";
    const Outcome outcome = live(program);
    CHECK(outcome.code == 0);
    const auto ours = lines_of(std::istringstream(outcome.output));
    const auto measured =
        lines_of(std::ifstream(std::string(WEDJAT_SOURCE_DIR) + "/tests/interposer/live/values/" + table));
    CHECK(measured.size() > 100);
    CHECK(ours.size() == measured.size());
    for (std::size_t i = 0; i < std::min(ours.size(), measured.size()); ++i) {
      INFO(program, ": ", measured[i].second);
      CHECK(ours[i] == measured[i]);
    }
  }
}

TEST_CASE("a thousand wrong calls are answered as an H200 answered them, but where it is said why not") {
  const std::string folder = std::string(WEDJAT_SOURCE_DIR) + "/tests/interposer/live/answers/";
  const auto measured = lines_of(std::ifstream(folder + "h200.txt"));
  std::map<std::string, std::string> ours, differing;
  for (const auto& [answer, call] : measured) ours[call];
  for (const auto& [answer, call] : lines_of(std::ifstream(folder + "differing.txt")))
    differing[call] = answer;
  const Outcome outcome = live("answers " + folder + "h200.txt");
  CHECK(outcome.code == 0);
  std::istringstream output(outcome.output);
  for (std::string line; std::getline(output, line);)
    if (const auto tab = line.find('\t'); tab != line.npos) ours[line.substr(tab + 1)] = line.substr(0, tab);
  CHECK(measured.size() > 900);
  for (const auto& row : measured) {
    const std::string &answer = row.first, &call = row.second;
    INFO(call);
    if (differing.contains(call)) {
      CHECK(ours[call] == differing[call]);
      CHECK(ours[call] != answer);
    } else {
      CHECK(ours[call] == answer);
    }
  }
}

TEST_CASE("processes share memory, events, pages and pools, and get the codes that an H200 gives") {
  const Outcome outcome = live("shared_memory");
  INFO(outcome.output);
  CHECK(outcome.code == 0);
  const auto ours = lines_of(std::istringstream(outcome.output));
  const auto measured = lines_of(
      std::ifstream(std::string(WEDJAT_SOURCE_DIR) + "/tests/interposer/live/shared_memory/h200.txt"));
  CHECK(measured.size() > 90);
  for (const auto& row : measured) {
    INFO(row.second);
    CHECK(std::ranges::count(ours, row) == std::ranges::count(measured, row));
  }
}

TEST_CASE("each kind of failing kernel ends with the code that an H100 gives") {
  const Outcome outcome = live("faults");
  CHECK(outcome.code == 0);
  check_rows(lines_of(std::istringstream(outcome.output)), table("faults/h100.txt"),
             table("faults/differing.txt"));
}

TEST_CASE("once a kernel has failed each call answers as with an H100, but where it is said why not") {
  const auto with_code = [](Rows rows, const std::string& code) {
    for (auto& row : rows)
      if (row.first == "FAILURE") row.first = code;
    return rows;
  };
  const Rows measured = table("answers/after_h100.txt"), differing = table("answers/after_differing.txt");
  CHECK(measured.size() > 1000);
  for (const auto& failure : {std::pair("store beyond memory", "CUDA_ERROR_ILLEGAL_ADDRESS"),
                              std::pair("trap", "CUDA_ERROR_LAUNCH_FAILED")}) {
    const Outcome outcome = live(std::string("after '") + failure.first + "'");
    CHECK(outcome.code == 0);
    check_rows(lines_of(std::istringstream(outcome.output)), with_code(measured, failure.second),
               with_code(differing, failure.second));
  }
}

TEST_CASE("programs print what they print on an H100") {
  for (const std::string program :
       {"access", "own_stream", "exec_nodes", "static_shared", "graph_memory", "maps", "nodes", "occupancy",
        "loading", "captured_events", "limits", "side_by_side"}) {
    const Outcome outcome = live(program);
    CHECK(outcome.code == 0);
    std::istringstream ours(outcome.output);
    std::ifstream measured(std::string(WEDJAT_SOURCE_DIR) + "/tests/interposer/live/measured/" + program +
                           "_h100.txt");
    std::size_t lines = 0;
    for (std::string line, expected; std::getline(measured, expected); ++lines) {
      // What the driver has to say goes between.
      while (std::getline(ours, line) && (line.starts_with("wedjat: ") || line.starts_with("  kernel "))) {
      }
      INFO(program, ", line ", lines + 1);
      CHECK(line == expected);
    }
    CHECK(lines > 10);
  }
}
