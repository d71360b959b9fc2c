// Events that are wrong but signed: whatever they ask for, replay ends with a verdict or an error.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <set>

#include "tests/traces/replay/mutate.h"
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

// The verdict, or what the error says.
std::string outcome_of(const Trace& trace, std::uint64_t launch_step_limit = 100'000'000) {
  try {
    ReplayOptions options;
    options.threads = 1;
    options.accept_flawed = true;
    options.launch_limits.step_limit = 10'000'000;
    options.launch_limits.launch_step_limit = launch_step_limit;
    options.print = [](std::string_view) {};
    return std::string(agreement_name(replay(trace, options).agreement()));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string outcome_of(const fs::path& trace) {
  try {
    return outcome_of(open_trace(trace));
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

TEST_CASE("an exit event that belongs to no call, or to another one") {
  const TemporaryFolder folder;
  unpack_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/saxpy.tar.zst", folder.path());
  const Trace trace = open_trace(folder.path());
  const auto exit = std::find_if(trace.events.begin(), trace.events.end(),
                                 [](const Event& one) { return one.name == "cuLaunchKernel_exit"; });
  REQUIRE(exit != trace.events.end());
  const auto words = [&](std::uint64_t call) {  // its first fields
    const std::uint64_t fields[] = {exit->sequence, call};
    return std::string(reinterpret_cast<const char*>(fields), sizeof fields);
  };
  const std::uint64_t call = exit->number("call");
  for (const std::uint64_t other : {call - 1, call + 1, std::uint64_t{1}, ~std::uint64_t{0}}) {
    int changed = 0;
    for (const fs::path& stream : streams_of(folder.path())) {
      const std::string whole = read_file(stream);
      const std::size_t at = whole.find(words(call));
      if (at == whole.npos) continue;
      ++changed;
      write(stream, std::string(whole).replace(at, words(other).size(), words(other)));
      sign(folder.path());
      const Trace strange = open_trace(folder.path());
      REQUIRE(strange.flaws.size() == 1);
      CHECK(strange.flaws[0] ==
            "exit events belong to no call: 1, the first has seq " + std::to_string(exit->sequence));
      write(stream, whole);
    }
    CHECK(changed == 1);
  }
}

TEST_CASE("a copy whose size overflows is refused") {
  const TemporaryFolder folder;
  unpack_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/runtime.tar.zst", folder.path());
  const Trace trace = open_trace(folder.path());
  const auto event = std::find_if(trace.events.begin(), trace.events.end(), [](const Event& one) {
    return one.name.starts_with("cuMemcpy2D") && one.find("pCopy_in");
  });
  REQUIRE(event != trace.events.end());
  const Bytes& description = event->bytes("pCopy_in");
  const std::string_view bytes(reinterpret_cast<const char*>(description.data()), description.size());
  int changed = 0;
  for (const fs::path& file : streams_of(folder.path())) {
    std::string stream = read_file(file);
    const std::size_t at = stream.find(bytes);
    if (at == stream.npos) continue;
    const std::uint64_t shape[2] = {std::uint64_t{1} << 32,
                                    std::uint64_t{1} << 32};  // WidthInBytes, Height: the last
    std::memcpy(&stream[at + bytes.size() - sizeof shape], shape, sizeof shape);
    write(file, stream);
    ++changed;
  }
  REQUIRE(changed > 0);
  sign(folder.path());
  CHECK(outcome_of(folder.path()).find("address space has") != std::string::npos);
}

TEST_CASE("every kind of field says something else") {
  std::set<std::string> outcomes;
  for (const char* name :
       {"driver", "graphs", "host_memory", "streams", "runtime", "recursion", "decisions"}) {
    const Trace whole =
        open_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples" / (std::string(name) + ".tar.zst"));
    mutate::Random random(7);
    for (int round = 0; round < 60; ++round) {
      Trace trace = whole;
      const std::string told = mutate::change(trace, random);
      INFO(name, " round ", round, ": ", told);
      const std::string outcome = outcome_of(trace);
      CHECK(!outcome.empty());
      outcomes.insert(outcome);
    }
  }
  CHECK(outcomes.size() > 40);
}

TEST_CASE("a memset node without width, with more rows than there is time") {
  for (const std::uint64_t width : {std::uint64_t{0}, std::uint64_t{1}}) {
    Trace trace = open_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/graphs.tar.zst");
    int changed = 0;
    for (Event& event : trace.events)
      for (Field& field : event.fields)
        if (auto* bytes = std::get_if<Bytes>(&field.value);
            bytes && field.name == "memsetParams_in" && bytes->size() >= 40) {
          const std::uint64_t shape[2] = {width, std::uint64_t{1} << 50};  // CUDA_MEMSET_NODE_PARAMS
          std::memcpy(bytes->data() + 24, shape, sizeof shape);
          ++changed;
        }
    REQUIRE(changed > 0);
    CHECK(outcome_of(trace) != "exact");
  }
}

TEST_CASE("a loop of a graph takes no more instructions than a launch may") {
  const Trace trace = open_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/decisions.tar.zst");
  CHECK(outcome_of(trace, 10'000'000) == "exact");
  CHECK(outcome_of(trace, 5'000).find("a loop of its graph did not end in 5000") != std::string::npos);
}

TEST_CASE("a loop of a graph without kernels, which nothing ends") {
  Trace trace = open_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/decisions.tar.zst");
  CHECK(std::erase_if(trace.events, [](const Event& event) {
          return event.name.starts_with("cuGraphAddKernelNode") || event.name.starts_with("cuLaunchKernel");
        }) > 0);
  CHECK(outcome_of(trace).find("runs no kernel, and never ends") != std::string::npos);
}
