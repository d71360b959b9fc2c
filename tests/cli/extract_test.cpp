// wedjat extract, and wedjat run of what it made.
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

const std::string recordings = WEDJAT_SOURCE_DIR "/traces/";

Outcome extract(const std::string& recording, const std::string& arguments) {
  return wedjat("extract " + recordings + recording + ".tar.zst " + arguments);
}

}  // namespace

TEST_CASE("a launch becomes a folder that runs, with tools and as JSON") {
  const Folder folder;
  const std::string made = (folder.path / "one").string();
  const Outcome outcome = extract("samples/saxpy", "--launch 1 -o " + made + " --json");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  const auto told = nlohmann::json::parse(outcome.output);
  CHECK(told["seq"] == 1194);
  CHECK(told["expected_bytes"] == 120'000);
  CHECK(told["hardware_bytes"] == 120'000);
  const Outcome ran = wedjat("run " + made);
  CHECK(ran.code == 0);
  CHECK(ran.output.find("hardware: 0 of 120,000 bytes differ") != std::string::npos);
  const Outcome elsewhere = wedjat("run " + made + " --elsewhere");
  CHECK(elsewhere.code == 0);
  CHECK(elsewhere.output.find("hardware: 0 of 120,000 bytes differ") != std::string::npos);
  const Outcome json = wedjat("run " + made + " --json --tool instruction_count --check");
  CHECK(json.code == 0);
  const auto report = nlohmann::json::parse(json.output);
  CHECK(report["same"] == true);
  CHECK(report["tools"].size() >= 2);
}

TEST_CASE("the PTX is what the kernel reaches, or whole if that is asked for") {
  const Folder folder;
  const auto made = [&](const std::string& name, const std::string& option) {
    const Outcome outcome = extract("regression/rodinia/gaussian",
                                    "--launch 1 --json -o " + (folder.path / name).string() + option);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.output);
  };
  const auto whole = made("whole", " --whole"), less = made("less", "");
  CHECK(whole["ptx_bytes"] == whole["recorded_ptx_bytes"]);
  CHECK(less["recorded_ptx_bytes"] == whole["ptx_bytes"]);
  CHECK(less["ptx_bytes"] < whole["ptx_bytes"]);
  CHECK(less["whole_ptx_because"] == "");
  CHECK(wedjat("run " + (folder.path / "less").string()).code == 0);
}

TEST_CASE("a folder that is run otherwise than it was made differs") {
  const Folder folder;
  const std::string made = (folder.path / "one").string();
  REQUIRE(extract("regression/rodinia/gaussian", "--launch 1 -o " + made).code == 0);
  const Outcome outcome = wedjat("run " + made + " --contract none");
  INFO(outcome.output);
  CHECK(outcome.code == 1);
  CHECK(outcome.output.find("  the first at 0x") != std::string::npos);
}

TEST_CASE("what cannot be extracted, or run, is told") {
  const Folder folder;
  const std::string made = (folder.path / "one").string();
  const auto check = [](const Outcome& outcome, int code, const char* part) {
    INFO(outcome.output);
    CHECK(outcome.code == code);
    CHECK(outcome.output.find(part) != std::string::npos);
  };
  check(extract("samples/saxpy", "--launch 9 -o " + made), 2, "there is no launch 9: the recording has 2");
  check(extract("samples/saxpy", "--kernel none -o " + made), 2, "launches no kernel none");
  check(extract("samples/saxpy", "-o " + made), 2, "--launch or --kernel is required");
  check(extract("samples/saxpy", "--launch 0 --kernel k -o " + made), 2, "excludes");
  check(extract("samples/saxpy", "--launch 0"), 2, "--output is required");
  check(extract("samples/nothing", "--launch 0 -o " + made), 3, "nothing.tar.zst");
  CHECK_FALSE(std::filesystem::exists(made));
  REQUIRE(extract("samples/saxpy", "--launch 0 -o " + made).code == 0);
  check(extract("samples/saxpy", "--launch 0 -o " + made), 3, "is not empty");
  std::filesystem::remove(std::filesystem::path(made) / "input.runs");
  check(wedjat("run " + made), 3, "input.runs");
  check(wedjat("run " + folder.file("k.ptx", ".version 8.0") + " --elsewhere"), 2,
        "--elsewhere is for folders");
  check(wedjat("run " + folder.file("k.ptx", ".version 8.0\n.target sm_90\n")), 4,
        "there is no kernel in the module");
  check(wedjat("run " + folder.path.string()), 3, "is a folder, and no bundle");
}
