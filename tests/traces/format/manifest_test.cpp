#include "traces/format/manifest.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "traces/format/api_table.h"
#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/format/state.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct Folder {
  Folder() {
    char name[] = "/tmp/wedjat-manifest-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

Manifest sample() {
  Manifest manifest;
  manifest.wedjat = "0.1.0";
  manifest.argv = {"./app", "--name", "a b\n\xff"};
  manifest.date = "2026-01-02T03:04:05Z";
  manifest.cuda_header = 13000;
  manifest.device = Device{"NVIDIA H200", 13000, "9.0", 1};
  manifest.processes = 1;
  manifest.events_numbered = 12;
  manifest.events_discarded = 0;
  manifest.clean_end = true;
  manifest.exit_code = 3;
  manifest.open_calls = {4, 7};
  manifest.untold = {{9, 4}};
  manifest.event_files = {{"stream_0", "0123456789abcdef0123456789abcdef"}};
  return manifest;
}

}  // namespace

TEST_CASE("a manifest comes back as written") {
  const Folder folder;
  write_manifest(folder.path, sample());
  const Manifest manifest = read_manifest(folder.path);
  CHECK(manifest.argv[1] == "--name");
  CHECK(manifest.device->name == "NVIDIA H200");
  CHECK(manifest.events_numbered == 12);
  CHECK(manifest.exit_code == 3);
  CHECK(manifest.event_files.size() == 1);
  CHECK(manifest.open_calls == sample().open_calls);
  CHECK(manifest.untold == sample().untold);
  CHECK(manifest.whole());
}

TEST_CASE("every reason why a trace is not whole is told") {
  Manifest manifest = sample();
  manifest.clean_end = false;
  manifest.events_discarded = 5;
  manifest.trouble = {"disk full"};
  CHECK(!manifest.whole());
  CHECK(manifest.why_not_whole().size() == 3);
}

TEST_CASE("a newer, damaged or absent manifest is refused with the cause") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(read_manifest(folder.path), doctest::Contains("no trace"), FormatError);
  Manifest newer = sample();
  newer.format = 99;
  write_manifest(folder.path, newer);
  CHECK_THROWS_WITH_AS(read_manifest(folder.path), doctest::Contains("trace format 99"), FormatError);
  write_manifest(folder.path, sample());
  const auto size = fs::file_size(folder.path / kManifestFile);
  for (auto cut = size - 2; cut > 0; --cut) {
    fs::resize_file(folder.path / kManifestFile, cut);
    REQUIRE_THROWS_AS(read_manifest(folder.path), FormatError);
  }
}

TEST_CASE("a member of the wrong type is named") {
  const Folder folder;
  write_manifest(folder.path, sample());
  const std::string text = read_file(folder.path / "manifest.json");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    REQUIRE(at != other.npos);
    std::ofstream(folder.path / "manifest.json") << other.replace(at, from.size(), to);
  };
  with("\"processes\": 1", "\"processes\": \"one\"");
  CHECK_THROWS_WITH_AS(read_manifest(folder.path), doctest::Contains("'processes': type must be number"),
                       FormatError);
  with("\"format\": ", "\"format\": -");
  CHECK_THROWS_WITH_AS(read_manifest(folder.path), doctest::Contains("trace format -"), FormatError);
}

TEST_CASE("troubles survive in the state page, counted even when there is no room for their text") {
  const Folder folder;
  StatePage& state = map_state(folder.path, true);
  for (int i = 0; i < 100; ++i) add_trouble(state, std::string(99, 'x'));
  const auto texts = troubles(map_state(folder.path, false));
  CHECK(texts.front() == std::string(99, 'x'));
  CHECK(texts.back() == std::to_string(100 - (texts.size() - 1)) + " more troubles");
  CHECK_THROWS_AS(map_state(folder.path, true), FormatError);  // one recording a folder
}

TEST_CASE("the calls that threads are in survive in the state, in order") {
  const Folder folder;
  StatePage& state = map_state(folder.path, true);
  CHECK(open_calls(state).empty());
  state.open_calls[0].call = 10 + 1;
  state.open_calls[1].call = OpenCall::none;
  state.open_calls[1023].call = 0 + 1;
  CHECK(open_calls(map_state(folder.path, false)) == std::vector<std::uint64_t>{0, 10});
}

TEST_CASE("events that are not written yet survive in the state, with their calls") {
  const Folder folder;
  StatePage& state = map_state(folder.path, true);
  state.untold[0].sequence = UntoldEvent::taken;
  state.untold[511].call = 8;
  state.untold[511].sequence = 10 + 1;
  CHECK(untold_events(map_state(folder.path, false)) == std::map<std::uint64_t, std::uint64_t>{{10, 8}});
}

TEST_CASE("the API table knows the driver's functions, their parameters and its enums") {
  CHECK(api_functions().size() == 637);
  const ApiFunction* copy = find_api_function("cuMemcpyHtoDAsync_v2_ptsz");
  REQUIRE(copy);
  CHECK(copy->base == "cuMemcpyHtoDAsync");
  CHECK(copy->flavour == "ptsz");
  CHECK(copy->parameters[1].name == "srcHost");
  CHECK(copy->parameters[1].direction == ApiDirection::value);
  CHECK(find_api_function("cuMemAlloc_v2")->parameters[0].direction == ApiDirection::out);
  CHECK(find_api_function("cuMemAlloc_v2")->parameters[0].element_kind == ApiKind::handle);
  CHECK(find_api_function("cuNoSuchThing") == nullptr);
  CHECK(result_name(0) == "CUDA_SUCCESS");
  CHECK(result_name(700) == "CUDA_ERROR_ILLEGAL_ADDRESS");
  CHECK(result_name(-5).empty());
  CHECK(enumerator_name("CUmemorytype", 2) == "CU_MEMORYTYPE_DEVICE");
  CHECK(api_cuda_version() == 13000);
}

TEST_CASE("folders that cannot be read are named") {
  CHECK_THROWS_WITH_AS(files_below("/dev/null"), "/dev/null: cannot be read: Not a directory", FormatError);
  CHECK_THROWS_WITH_AS(read_file("/"), "/: cannot be read: Is a directory", FormatError);
  CHECK_THROWS_WITH_AS(read_file("/dev/zero"), "/dev/zero: is a device, not a file", FormatError);
}
