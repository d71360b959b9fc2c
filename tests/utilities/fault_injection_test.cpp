// Campaigns of faults, through the command: the tool forks the process that replays.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace {

struct Campaign {
  int exit_code = 0;
  nlohmann::json tables;
  std::map<std::string, std::uint64_t> outcomes;
};

Campaign campaign(const std::string& options, const std::string& recording = "saxpy") {
  const std::string command = std::string(WEDJAT_COMMAND " replay --json ") +
                              WEDJAT_SOURCE_DIR "/traces/samples/" + recording +
                              ".tar.zst --tool fault_injection," + options + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  Campaign result;
  result.exit_code = WEXITSTATUS(pclose(pipe));
  INFO(text);
  if (result.exit_code != 0) return result;
  const auto json = nlohmann::json::parse(text);
  CHECK(json["verdict"] == "exact");  // the run that reports is the golden one
  result.tables = json["tools"][0]["tables"];
  for (const auto& row : result.tables[0]["rows"]) result.outcomes[row["outcome"]] = row["runs"];
  return result;
}

}  // namespace

TEST_CASE("every run has one outcome, and the seed decides all") {
  const Campaign first = campaign("runs=40,seed=5,jobs=2"), again = campaign("runs=40,seed=5,jobs=1"),
                 other = campaign("runs=40,seed=6");
  CHECK(first.outcomes.at("masked") + first.outcomes.at("SDC") + first.outcomes.at("DUE") == 40);
  CHECK(first.tables[1] == again.tables[1]);
  CHECK(first.tables[1] != other.tables[1]);
  CHECK(first.outcomes.at("SDC") > 0);
  CHECK(first.outcomes.at("DUE") > 0);
}

TEST_CASE("a flipped bit of a number in saxpy cannot make it fail") {
  const Campaign c = campaign("runs=40,group=fp32");
  CHECK(c.outcomes.at("DUE") == 0);
  CHECK(c.outcomes.at("SDC") > 20);
  for (const auto& run : c.tables[1]["rows"]) {
    const auto number = [&](const char* column) {
      return std::stoull(run[column].get<std::string>(), nullptr, 0);
    };
    CHECK((number("before") ^ number("after")) == 1ull << run["bit"].get<unsigned>());
  }
}

TEST_CASE("options that make no sense") {
  CHECK(campaign("model=moon").exit_code == 2);
  CHECK(campaign("runs=0").exit_code == 2);
}
