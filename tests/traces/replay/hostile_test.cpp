// Events that are wrong but signed: whatever they ask for, replay ends with a verdict or an error.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <set>

#include "tests/traces/replay/samples.h"
#include "traces/format/file.h"
#include "traces/format/names.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

// Where the events of the first packet lie: LTTng-UST's headers take 84 bytes, content_size stands at 48.
constexpr std::size_t headers = 84;
std::size_t end_of_events(const std::string& stream) {
  std::uint64_t bits = 0;
  if (stream.size() >= headers) std::memcpy(&bits, &stream[48], sizeof bits);
  return bits / 8;
}

std::vector<fs::path> streams_of(const fs::path& trace) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(trace / kEventsFolder))
    if (entry.path().filename().string().starts_with("calls_") && entry.path().extension() != ".idx" &&
        end_of_events(read_file(entry.path())) > headers)
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

void sign(const fs::path& trace) {
  Manifest manifest = read_manifest(trace);
  manifest.event_files = hash_event_files(trace);
  write_manifest(trace, manifest);
}

// "exact", "differs" or what the error says.
std::string outcome_of(const fs::path& trace) {
  try {
    ReplayOptions options;
    options.threads = 1;
    options.accept_flawed = true;
    options.print = [](std::string_view) {};
    return replay(open_trace(trace), options).exact() ? "exact" : "differs";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("events with changed bytes, signed again") {
  const TemporaryFolder folder;
  unpack_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/driver.tar.zst", folder.path());
  const auto streams = streams_of(folder.path());
  REQUIRE(!streams.empty());
  std::mt19937_64 random(1);
  std::set<std::string> outcomes;
  for (int round = 0; round < 400; ++round) {
    const fs::path& stream = streams[random() % streams.size()];
    const std::string whole = read_file(stream);
    std::string changed = whole;
    for (std::uint64_t changes = 1 + random() % 3; changes; --changes)
      changed[headers + random() % (end_of_events(whole) - headers)] ^= static_cast<char>(1 << random() % 8);
    write(stream, changed);
    sign(folder.path());
    INFO("round ", round);
    const std::string outcome = outcome_of(folder.path());
    CHECK(!outcome.empty());
    outcomes.insert(outcome);
    write(stream, whole);
  }
  CHECK(outcomes.count("exact"));  // what nobody looks at was changed
  CHECK(outcomes.size() > 20);
}
