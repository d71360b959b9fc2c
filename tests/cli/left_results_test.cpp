// Results that a recording holds and that are compared with nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shell.h"
#include "traces/format/file.h"
#include "traces/format/manifest.h"
#include "traces/format/names.h"
#include "traces/read/trace.h"

using namespace wedjat::traces;

TEST_CASE("of results that are compared with nothing it is not said that there are none") {
  const TemporaryFolder folder;
  const std::filesystem::path& trace = folder.path();
  unpack_trace(std::filesystem::path(WEDJAT_SOURCE_DIR) / "traces/samples/saxpy.tar.zst", trace);
  const Trace whole = open_trace(trace);
  const auto copy = std::ranges::find_if(
      whole.events, [](const Event& one) { return one.name.starts_with("cuMemcpyDtoH_v2_entry"); });
  REQUIRE(copy != whole.events.end());
  const std::uint64_t fields[] = {copy->number("dstHost"), copy->number("srcDevice"),
                                  copy->number("ByteCount")};
  const std::string words(reinterpret_cast<const char*>(fields), sizeof fields);
  int changed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(trace / kEventsFolder)) {
    if (!entry.is_regular_file()) continue;
    std::string bytes = read_file(entry.path());
    const std::size_t at = bytes.find(words);
    if (at == bytes.npos) continue;
    ++changed;
    std::memset(&bytes[at + 16], 0, 8);  // it copies no bytes
    std::ofstream(entry.path(), std::ios::binary) << bytes;
  }
  REQUIRE(changed == 1);
  Manifest manifest = read_manifest(trace);
  manifest.event_files = hash_event_files(trace);
  write_manifest(trace, manifest);
  const Outcome replayed = shell(WEDJAT_COMMAND " replay " + trace.string());
  CHECK(replayed.code == 8);
  CHECK(replayed.output.find("none of the 120,000 bytes that the hardware brought back could be compared") !=
        std::string::npos);
  const Outcome judged = shell(WEDJAT_COMMAND " regress " + trace.string());
  CHECK(judged.code != 0);
  CHECK(judged.output.find("120000 bytes of host_out") != std::string::npos);
  CHECK(judged.output.find("holds nothing") == std::string::npos);
}
