// Broken recordings: always an error that names file and cause, never a crash and never a wrong verdict.
#include <doctest/doctest.h>

#include <fstream>
#include <random>

#include "tests/traces/replay/samples.h"
#include "traces/format/error.h"
#include "traces/format/names.h"
#include "traces/replay/replay.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct Copy {
  TemporaryFolder folder;
  Copy() { unpack_trace(fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/saxpy.tar.zst", folder.path()); }
  const fs::path& path() const { return folder.path(); }
};

fs::path largest(const fs::path& below) {
  fs::path found;
  std::uintmax_t size = 0;
  for (const auto& entry : fs::recursive_directory_iterator(below))
    if (entry.is_regular_file() && entry.file_size() > size && entry.path().filename() != "metadata") {
      size = entry.file_size();
      found = entry.path();
    }
  return found;
}

void flip(const fs::path& file, std::uint64_t offset, int bit) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekg(static_cast<std::streamoff>(offset));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(static_cast<char>(byte ^ 1 << bit));
}

// True if it ended in an error of ours or in a verdict that is not exact.
bool refused(const fs::path& path) {
  try {
    return !replay(open_trace(path), {}).exact();
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).size() > 20);
    return true;
  }
}

}  // namespace

TEST_CASE("an undamaged copy replays") {
  const Copy copy;
  CHECK(!refused(copy.path()));
}

TEST_CASE("missing parts are named") {
  for (const char* part : {kManifestFile, kEventsFolder, kBlobsFolder}) {
    const Copy copy;
    fs::remove_all(copy.path() / part);
    INFO(part);
    CHECK(refused(copy.path()));
  }
  CHECK_THROWS_WITH_AS(open_trace("/no/such/trace"), doctest::Contains("/no/such/trace"), FormatError);
}

TEST_CASE("a newer format is refused with both numbers") {
  const Copy copy;
  Manifest manifest = read_manifest(copy.path());
  manifest.format = 99;
  write_manifest(copy.path(), manifest);
  CHECK_THROWS_WITH_AS(open_trace(copy.path()), doctest::Contains("99"), FormatError);
}

TEST_CASE("lost events are refused, and accepted only on request") {
  const Copy copy;
  Manifest manifest = read_manifest(copy.path());
  manifest.events_discarded = 3;
  write_manifest(copy.path(), manifest);
  const Trace trace = open_trace(copy.path());
  CHECK_THROWS_WITH_AS(replay(trace, {}), doctest::Contains("not whole"), FormatError);
  ReplayOptions options;
  options.accept_flawed = true;
  CHECK(replay(trace, options).exact());
}

TEST_CASE("cut files") {
  for (const char* part : {kEventsFolder, kBlobsFolder})
    for (int eighth = 0; eighth < 8; ++eighth) {
      const Copy copy;
      const fs::path file = largest(copy.path() / part);
      fs::resize_file(file, fs::file_size(file) * static_cast<std::uintmax_t>(eighth) / 8);
      INFO(file.string(), " ", eighth);
      CHECK(refused(copy.path()));
    }
}

TEST_CASE("flipped bits of blobs and events are found") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 24; ++round) {
    const Copy copy;
    const fs::path file = largest(copy.path() / (round % 2 ? kEventsFolder : kBlobsFolder));
    flip(file, random() % fs::file_size(file), static_cast<int>(random() % 8));
    INFO(file.string(), " ", round);
    CHECK(refused(copy.path()));
  }
}

TEST_CASE("what is wrong in an archive is told by its name, not by that of a temporary folder") {
  const Copy copy;
  fs::resize_file(largest(copy.path() / kBlobsFolder), 100);
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "cut.tar.zst";
  const auto is_named_in = [&](const std::string& text) {
    INFO(text);
    CHECK(text.starts_with(file.string() + "/"));
  };
  pack_trace(copy.path(), file);
  const Trace trace = open_trace(file);
  REQUIRE(trace.flaws.size() == 1);
  is_named_in(trace.flaws[0]);
  int missing = 0;
  for (const Event& event : trace.events) {
    if (event.name != "image") continue;
    try {
      trace.contents(event);
    } catch (const FormatError& error) {
      is_named_in(error.what());
      ++missing;
    }
  }
  CHECK(missing > 0);
  Manifest manifest = read_manifest(copy.path());
  manifest.format = 99;
  write_manifest(copy.path(), manifest);
  pack_trace(copy.path(), file);
  try {
    open_trace(file);
    FAIL("nothing is wrong");
  } catch (const FormatError& error) {
    is_named_in(error.what());
  }
}

TEST_CASE("packed traces: cut ones and hostile names are refused") {
  const fs::path sample = fs::path(WEDJAT_SOURCE_DIR) / "traces/samples/saxpy.tar.zst";
  const TemporaryFolder folder;
  for (int eighth = 0; eighth < 8; ++eighth) {
    const fs::path cut = folder.path() / "cut.tar.zst";
    fs::copy_file(sample, cut, fs::copy_options::overwrite_existing);
    fs::resize_file(cut, fs::file_size(cut) * static_cast<std::uintmax_t>(eighth) / 8);
    INFO(eighth);
    CHECK(refused(cut));
  }
}
