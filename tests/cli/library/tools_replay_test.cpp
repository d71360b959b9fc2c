// Tools and replays through the library.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/library/library.h"

namespace {

const std::string samples = std::string(WEDJAT_SOURCE_DIR) + "/traces/samples/";

nlohmann::json parsed(char* json) {
  REQUIRE(json != nullptr);
  const nlohmann::json value = nlohmann::json::parse(json);
  wedjat_text_free(json);
  return value;
}

struct Told {
  std::vector<std::string> copies, launches;
  std::uint64_t bytes = 0, differing = 0, really_differing = 0, calls = 0, stop_at = 0;
};

WedjatReplayOptions telling(Told& told) {
  WedjatReplayOptions options{};
  options.size = sizeof options;
  options.user = &told;
  options.copy = [](void* user, const WedjatCopy* copy) {
    auto& to = *static_cast<Told*>(user);
    to.copies.emplace_back(copy->call);
    to.bytes += copy->bytes;
    to.differing += copy->differing_bytes;
  };
  options.launch = [](void* user, const WedjatLaunched* launched) {
    static_cast<Told*>(user)->launches.emplace_back(launched->kernel);
  };
  options.difference = [](void* user, const WedjatCopy* copy, const void* expected, const void* got) {
    const auto *there = static_cast<const char*>(expected), *here = static_cast<const char*>(got);
    for (std::uint64_t i = 0; i < copy->bytes; ++i)
      static_cast<Told*>(user)->really_differing += there[i] != here[i];
  };
  options.progress = [](void* user, std::uint64_t done, std::uint64_t all) {
    auto& to = *static_cast<Told*>(user);
    to.calls = all;
    return done == to.stop_at ? 1 : 0;
  };
  return options;
}

}  // namespace

TEST_CASE("the tools that there are") {
  char* json = nullptr;
  REQUIRE(wedjat_tools(&json) == WEDJAT_OK);
  const nlohmann::json tools = parsed(json);
  const auto race_check =
      std::ranges::find_if(tools, [](const auto& tool) { return tool["name"] == "race_check"; });
  REQUIRE(race_check != tools.end());
  CHECK((*race_check)["checks"] == true);
  CHECK((*race_check)["summary"] != "");
}

TEST_CASE("tools watch a device and report once") {
  const char* const names[] = {"instruction_count", "memory_check"};
  WedjatRunOptions options{};
  options.size = sizeof options;
  options.tools = names;
  options.tool_count = 2;
  options.fidelity = 1;
  const Device device(&options);
  WedjatKernel* const kernel =
      device.kernel(head +
                    ".visible .entry k(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p];\n"
                    "ld.global.u32 %r, [%d]; st.global.u32 [%d], %r; ret; }");
  const std::uint64_t at = device.allocate(4);
  const WedjatArgument argument = WEDJAT_ARGUMENT_OF(at);
  const WedjatLaunch launch = shape(1, 1);
  REQUIRE(wedjat_kernel_launch(kernel, &launch, &argument, 1, nullptr) == WEDJAT_OK);
  char* json = nullptr;
  REQUIRE(wedjat_device_report(device.handle, &json) == WEDJAT_OK);
  const nlohmann::json report = parsed(json);
  REQUIRE(report["tools"].size() == 3);
  CHECK(report["tools"][1]["tables"].dump().find("4") != std::string::npos);
  // Nobody wrote what the kernel reads.
  CHECK(report["tools"][2]["errors"].get<int>() + report["tools"][2]["warnings"].get<int>() > 0);
  CHECK(report["unused_suppressions"].empty());
  check_error(wedjat_device_report(device.handle, &json), WEDJAT_WRONG_ARGUMENT, "already");
  // Nobody watches any more.
  CHECK(wedjat_kernel_launch(kernel, &launch, &argument, 1, nullptr) == WEDJAT_OK);
  CHECK(wedjat_memory_write(device.handle, at, &launch, 4) == WEDJAT_OK);
  CHECK(wedjat_memory_free(device.handle, at) == WEDJAT_OK);
  device.load(saxpy);
}

TEST_CASE("without tools a report is empty, and the device goes on") {
  const Device device;
  char* json = nullptr;
  REQUIRE(wedjat_device_report(device.handle, &json) == WEDJAT_OK);
  CHECK(parsed(json)["tools"].empty());
  const WedjatLaunch launch = shape(1, 1);
  CHECK(wedjat_kernel_launch(device.kernel(head + ".visible .entry k() { ret; }"), &launch, nullptr, 0,
                             nullptr) == WEDJAT_OK);
}

TEST_CASE("a replay tells its copies and launches, and that all is the same") {
  Told told;
  WedjatReplayOptions options = telling(told);
  const char* const names[] = {"instruction_count"};
  WedjatRunOptions run{};
  run.size = sizeof run;
  run.tools = names;
  run.tool_count = 1;
  options.run = &run;
  char* json = nullptr;
  const WedjatStatus status = wedjat_replay((samples + "saxpy.tar.zst").c_str(), &options, &json);
  INFO(wedjat_last_error()->message);
  REQUIRE(status == WEDJAT_OK);
  const nlohmann::json report = parsed(json);
  CHECK(report["verdict"] == "exact");
  CHECK(report["copies"].size() == told.copies.size());
  CHECK(report["launches"].size() == told.launches.size());
  CHECK(told.copies.size() >= 1);
  CHECK(told.launches.size() >= 1);
  CHECK(report["launches"][0]["kernel"] == told.launches[0]);
  CHECK(report["compared_bytes"] == told.bytes);
  CHECK(told.bytes > 0);
  CHECK(told.differing == 0);
  CHECK(told.calls == report["calls"]);
  CHECK(report["tools"].size() == 1);
}

TEST_CASE("a replay that differs shows what the hardware brought and what is here") {
  Told told;
  WedjatReplayOptions options = telling(told);
  WedjatRunOptions run{};
  run.size = sizeof run;
  run.contract = WEDJAT_CONTRACT_NONE;  // not as the hardware's tool chain does it
  options.run = &run;
  char* json = nullptr;
  REQUIRE(wedjat_replay((samples + "../regression/polybench/lu.tar.zst").c_str(), &options, &json) ==
          WEDJAT_OK);
  const nlohmann::json report = parsed(json);
  CHECK(report["verdict"] == "differs");
  CHECK(told.differing > 0);
  CHECK(told.really_differing == told.differing);
}

TEST_CASE("traces that are none, options that cannot be had, replays that are ended") {
  char* json = nullptr;
  check_error(wedjat_replay("/no/such/trace", nullptr, &json), WEDJAT_BROKEN_INPUT, "/no/such/trace");
  CHECK(std::string(wedjat_last_error()->file) == "/no/such/trace");
  check_error(wedjat_replay("", nullptr, &json), WEDJAT_BROKEN_INPUT, "");
  check_error(wedjat_replay((samples + "README.md").c_str(), nullptr, &json), WEDJAT_BROKEN_INPUT,
              "README.md");
  Told told;
  WedjatReplayOptions options = telling(told);
  WedjatRunOptions run{};
  options.run = &run;
  check_error(wedjat_replay((samples + "saxpy.tar.zst").c_str(), &options, &json), WEDJAT_WRONG_ARGUMENT,
              "size is 0");
  options.run = nullptr;
  told.stop_at = 3;
  check_error(wedjat_replay((samples + "saxpy.tar.zst").c_str(), &options, &json), WEDJAT_INTERRUPTED,
              "progress");
  options.size = 3;
  check_error(wedjat_replay((samples + "saxpy.tar.zst").c_str(), &options, &json), WEDJAT_WRONG_ARGUMENT,
              "size is 3");
  CHECK(json == nullptr);
}
