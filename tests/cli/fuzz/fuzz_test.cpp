// `wedjat fuzz`, as a user meets it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("seeds that agree are exit code 0; a kernel can be seen, and is a file for wedjat expect") {
  const Outcome all = wedjat("fuzz --seeds 1..6 --no-tiers --json");
  CAPTURE(all.output);
  CHECK(all.code == 0);
  const auto json = nlohmann::json::parse(all.output);
  CHECK(json["seeds"] == 6);
  CHECK(json["disagreements"].empty());
  const Outcome one = wedjat("fuzz --seeds 3 --print");
  CHECK(one.code == 0);
  const Folder folder;
  const Outcome expected = wedjat("expect --jit=off " + folder.file("k.ptx", one.output));
  CAPTURE(expected.output);
  CHECK(expected.code == 0);
}

TEST_CASE("a compiler that refuses a kernel is a disagreement, and is reduced") {
  const Folder folder;
  const std::string ptxas = folder.file("ptxas",
                                        "#!/bin/sh\nfor f; do :; done\nif grep -q 'div\\.' \"$f\"; then echo "
                                        "\"$f, line 7: no division\"; exit 1; fi\n");
  std::filesystem::permissions(ptxas, std::filesystem::perms::owner_all);
  const std::string out = (folder.path / "out").string();
  const Outcome outcome =
      wedjat("fuzz --seeds 1..3 --no-tiers --no-check --weight div=30 --ptxas " + ptxas + " -o " + out);
  CAPTURE(outcome.output);
  CHECK(outcome.code == 1);
  CHECK(has(outcome.output, "ptxas: case.ptx, line 7: no division"));
  CHECK(has(outcome.output, "3 disagreements, 1 distinct"));
  const std::string reduced = contents(out + "/1/reduced.ptx");
  CAPTURE(reduced);
  CHECK(has(reduced, "div."));
  CHECK(reduced.size() < 1000);
  CHECK(has(contents(out + "/1/report.md"), "refuses what the emulator runs"));
}

// There the GPU is our driver, so what runs kernels and asks it is tested, and no compiler.
TEST_CASE("a GPU is asked at every level, by a process of its own") {
  const Outcome outcome = wedjat(std::string("live -- ") + WEDJAT_COMMAND +
                                 " fuzz --seeds 8..10 --no-tiers --no-check --gpu 0,4 --json");
  CAPTURE(outcome.output);
  CHECK(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.output);
  CHECK(json["disagreements"].empty());
  CHECK(json["spent"]["gpu"] > 0);
  CHECK(wedjat("fuzz --seeds 1 --gpu 5").code == 2);
}

// A compiler of ours: what it makes is PTX, which our driver takes. It makes one kernel endless.
TEST_CASE("kernels are compiled beside the GPU, and one that never ends costs itself only") {
  const Folder folder;
  namespace fs = std::filesystem;
  const fs::path compiler = folder.path / "ptxas", journal = folder.path / "journal";
  std::ofstream(compiler) << R"(#!/bin/sh
if grep -q '^// seed 9$' case.ptx
then sed '/^.visible/,$s/^  ret;/SPIN: ld.volatile.global.u32 %r0, [%base]; bra SPIN;/' case.ptx > case.made
else cp case.ptx case.made
fi
)";
  fs::permissions(compiler, fs::perms::owner_all);
  for (const std::string together :
       {"1", "3"}) {  // in one file all three never end; then each is asked alone
    const Outcome outcome =
        wedjat(std::string("live -- ") + WEDJAT_COMMAND +
               " fuzz --seeds 9..11 --no-tiers --no-check --gpu 3 --kernel-seconds 2" + " --together " +
               together + " --ptxas " + compiler.string() + " --json --journal " + journal.string());
    CAPTURE(outcome.output);
    CHECK(outcome.code == 1);
    const auto found = nlohmann::json::parse(outcome.output)["disagreements"];
    REQUIRE(found.size() == 1);
    CHECK(found[0]["seed"] == 9);
    CHECK(found[0]["message"] == "level 0, 1, 2, 3: it is not done in time");
  }
  std::ifstream lines(journal);
  std::string all{std::istreambuf_iterator<char>(lines), {}};
  CHECK(all.find("not done in time") != std::string::npos);
}

// The compiler of ours makes machine code wrong where it optimises, which is a disagreement that is judged
// so; and of what programs leave open, nothing is blamed on it.
TEST_CASE("what a GPU leaves is judged") {
  const Folder folder;
  namespace fs = std::filesystem;
  const fs::path compiler = folder.path / "ptxas";
  std::ofstream(compiler)
      << "#!/bin/sh\necho >> $0.calls\nif [ \"$2\" = -O3 ]; then sed '/^.visible/,$s/^  mov.u32 %t, 0;/  mov.u32 "
         "%t, 32;/' case.ptx > case.made; else cp case.ptx case.made; fi\n";
  fs::permissions(compiler, fs::perms::owner_all);
  const std::string begin = std::string("live -- ") + WEDJAT_COMMAND + " fuzz --no-tiers --no-check --judge ";
  const Outcome wrong = wedjat(begin + "--seeds 5..7 --statements 6 --together 3 --gpu 0,3 --json --ptxas " +
                               compiler.string());
  CAPTURE(wrong.output);
  CHECK(wrong.code == 1);
  const auto json = nlohmann::json::parse(wrong.output);
  REQUIRE(json["disagreements"].size() == 3);
  CHECK(json["disagreements"][0]["kind"] == "gpu");
  CHECK(has(json["disagreements"][0]["message"].get<std::string>(), "level 0: agrees"));
  CHECK(has(json["disagreements"][0]["message"].get<std::string>(), "level 3: the machine code is wrong"));
  CHECK(json["verdicts"]["the machine code is wrong"] == 3);
  CHECK(json["verdicts"]["agrees"] == 9);
  // Reduced they are one fault.
  const std::string out = (folder.path / "out").string();
  const Outcome reduced = wedjat(begin + "--seeds 5..7 --statements 6 --gpu 0,3 --json --ptxas " +
                                 compiler.string() + " -o " + out);
  CAPTURE(reduced.output);
  const auto once =
      nlohmann::json::parse(reduced.output.substr(reduced.output.find("{\n")));  // our driver tells of faults
  CHECK(once["disagreements"].size() == 3);
  CHECK(once["distinct"] == 1);
  CHECK(once["again"].size() + 1 == json["distinct"].get<std::size_t>());
  CHECK(std::distance(fs::directory_iterator(out), fs::directory_iterator()) == 1);
  // Our driver fuses sums and products at every level.
  for (const char* const open : {"contraction", "payloads", "unwritten", "races"}) {
    const Outcome outcome = wedjat(begin + "--seeds 1..6 --statements 12 --gpu 0,4 --leave-open " + open);
    CAPTURE(outcome.output);
    CHECK(outcome.code == 0);
    CHECK(has(outcome.output, "the machine code is wrong: 0"));
  }
  // What differs in one file with others, and is said to be open, is not compiled again.
  const fs::path calls = compiler.string() + ".calls";
  fs::remove(calls);
  const Outcome open = wedjat(begin +
                              "--seeds 1..3 --statements 12 --together 3 --gpu 3 --json --leave-open "
                              "unwritten --ptxas " +
                              compiler.string());
  CAPTURE(open.output);
  CHECK(open.code == 0);
  CHECK(nlohmann::json::parse(open.output)["verdicts"]["the PTX leaves it open"] == 3);
  CHECK(contents(calls).size() == 1);
  CHECK(wedjat("fuzz --seeds 1 --judge").code == 2);
  CHECK(wedjat("fuzz --seeds 1 --leave-open races").code == 2);
  CHECK(wedjat("fuzz --seeds 1 --gpu 0 --judge --leave-open everything").code == 2);
}

TEST_CASE("no seed is begun once the time is over") {
  const Outcome outcome = wedjat("fuzz --seeds 1..1000000 --no-tiers --seconds 1 --json");
  CAPTURE(outcome.output);
  CHECK(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.output)["seeds"] < 100000);
}

TEST_CASE("wrong arguments are told") {
  for (const char* wrong : {"--seeds x", "--seeds 5..3", "--seeds 1..99999999999", "--weight add",
                            "--weight add=9999", "--statements 0"}) {
    CAPTURE(wrong);
    CHECK(wedjat(std::string("fuzz ") + wrong).code == 2);
  }
  CHECK(wedjat("fuzz --seeds 1 --no-tiers --ptxas /nowhere/ptxas").code == 3);
}
