// The blob store: what goes in comes out, and nothing damaged ever does.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstring>
#include <fstream>

#include "traces/format/blob_reader.h"
#include "traces/format/blob_writer.h"
#include "traces/format/error.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct Store {
  Store() {
    char name[] = "/tmp/wedjat-blobs-XXXXXX";
    REQUIRE(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Store() { fs::remove_all(path); }
  fs::path pack() const { return path / "packs/1.pack"; }
  fs::path path;
};

std::vector<std::byte> noise(std::size_t size, std::uint64_t seed) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    byte = static_cast<std::byte>(seed >> 56);
  }
  return bytes;
}

void flip(const fs::path& file, std::uint64_t offset, int bit) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(static_cast<char>(byte ^ (1 << bit)));
}

}  // namespace

TEST_CASE("small, large, empty, compressible and random blobs come back") {
  const Store store;
  std::vector<std::vector<std::byte>> contents = {{},
                                                  noise(1, 1),
                                                  noise(5000, 2),
                                                  std::vector<std::byte>(100'000),
                                                  noise(kLargeBlob + 3, 3),
                                                  std::vector<std::byte>(kLargeBlob * 2)};
  std::vector<Hash> keys;
  {
    BlobWriter writer(store.path, "1");
    for (const auto& bytes : contents) keys.push_back(writer.put(bytes));
  }
  const BlobReader reader(store.path);
  for (std::size_t i = 0; i < contents.size(); ++i) CHECK(reader.read(keys[i]) == contents[i]);
  CHECK(reader.list().size() == contents.size());
  CHECK(reader.damage().empty());
  CHECK(fs::file_size(store.pack()) < 10'000);  // the zeros were packed
}

TEST_CASE("equal contents are stored once") {
  const Store store;
  BlobWriter writer(store.path, "1");
  const auto bytes = noise(10'000, 4);
  const Hash first = writer.put(bytes);
  const auto size = fs::file_size(store.pack());
  CHECK(writer.put(bytes) == first);
  CHECK(fs::file_size(store.pack()) == size);
}

TEST_CASE("a missing blob is named") {
  const Store store;
  const BlobReader reader(store.path);
  CHECK_THROWS_WITH_AS(reader.read(Hash{1, 2}),
                       doctest::Contains("00000000000000010000000000000002 is missing"), FormatError);
}

TEST_CASE("a pack cut anywhere loses only the blob that is cut, and says where") {
  const Store store;
  BlobWriter writer(store.path, "1");
  const Hash first = writer.put(noise(100, 5));
  const auto boundary = fs::file_size(store.pack());
  const Hash second = writer.put(noise(100, 6));
  const auto end = fs::file_size(store.pack());
  for (auto size = end - 5; size > boundary; --size) {  // 4 bytes of padding at the end may go
    fs::resize_file(store.pack(), size);
    const BlobReader reader(store.path);
    REQUIRE(reader.read(first) == noise(100, 5));
    REQUIRE_THROWS_WITH_AS(reader.read(second), doctest::Contains("the pack ends inside"), FormatError);
  }
}

TEST_CASE("no flipped bit goes unnoticed") {
  const Store store;
  Hash first, second;
  {
    BlobWriter writer(store.path, "1");
    first = writer.put(noise(40, 7));
    second = writer.put(std::vector<std::byte>(200));
  }
  const auto end = fs::file_size(store.pack());
  for (std::uint64_t offset = 0; offset < end; ++offset) {
    for (int bit = 0; bit < 8; ++bit) {
      flip(store.pack(), offset, bit);
      const BlobReader reader(store.path);
      int refused = 0;
      for (const auto& [key, contents] :
           {std::pair{first, noise(40, 7)}, std::pair{second, std::vector<std::byte>(200)}}) {
        std::vector<std::byte> returned;
        try {
          returned = reader.read(key);
        } catch (const FormatError&) {
          ++refused;
          continue;
        }
        REQUIRE(returned == contents);  // what is returned is right
      }
      REQUIRE(refused <= 1);  // and damage does not spread to the other blob
      flip(store.pack(), offset, bit);
    }
  }
}

TEST_CASE("a store that cannot be written is refused at once") {
  CHECK_THROWS_AS(BlobWriter("/proc/nowhere/blobs", "1"), FormatError);
}
