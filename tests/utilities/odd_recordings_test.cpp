// fault_injection on recordings of odd kernels: a campaign, or words that say why there is none.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/interposer/recording.h"
#include "tests/utilities/odd_kernels.h"

using namespace wedjat::test;

namespace {

struct Ended {
  int exit_code;
  std::string text;
};

Ended output_of(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Ended ended{};
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) ended.text.append(buffer, n);
  const int status = pclose(pipe);
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

// Recorded with the fake driver, whose kernel of that name changes nothing where the count is 0.
Ended campaign(const std::string& text) {
  const std::string from = "entry k(.param .u64 p)", to = "entry increment(.param .u64 p, .param .u32 count)";
  std::string named = text;
  named.replace(named.find(from), from.size(), to);
  const ::test::Folder folder;
  const auto ptx = folder.path() / "odd.ptx", trace = folder.path() / "t";
  std::ofstream(ptx) << ".version 9.0\n.target sm_90a\n.address_size 64\n" << named;
  REQUIRE(::test::run(::test::record_command(trace, ptx.string(), WEDJAT_ODD_KERNEL_PROGRAM)) == 0);
  return output_of(WEDJAT_COMMAND " replay --json " + trace.string() +
                   " --tool fault_injection,runs=6,jobs=2");
}

// Of these nothing has a result that a fault could be put in.
bool has_results(const Odd& odd) {
  const std::set<std::string> none = {"bra", "brx", "call", "membar", "ret", "st", "trap"};
  return !std::includes(none.begin(), none.end(), odd.opcodes.begin(), odd.opcodes.end());
}

}  // namespace

TEST_CASE("a campaign over a recording of every odd kernel") {
  for (const Odd& odd : odd_kernels()) {
    INFO(odd.name);
    const Ended ended = campaign(odd.text);
    INFO(ended.text);
    if (!odd.failure.empty()) {
      CHECK(ended.exit_code == 2);
      CHECK(ended.text.find("the recording does not replay exactly as it is") != std::string::npos);
    } else if (!has_results(odd)) {
      CHECK(ended.exit_code == 2);
      CHECK(ended.text.find("nothing of group 'all' is executed") != std::string::npos);
    } else {
      REQUIRE(ended.exit_code == 0);
      const auto json = nlohmann::json::parse(ended.text);
      CHECK(json["verdict"] == "exact");
      std::uint64_t runs = 0;
      for (const auto& row : json["tools"][0]["tables"][0]["rows"]) runs += row["runs"].get<std::uint64_t>();
      CHECK(runs == 6);
      for (const auto& row : json["tools"][0]["tables"][1]["rows"]) {
        const std::string instruction = row["instruction"];
        CHECK(odd.opcodes.contains(instruction.substr(0, instruction.find_first_of(". "))));
      }
    }
  }
}
