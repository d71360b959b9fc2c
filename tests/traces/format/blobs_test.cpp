// The blob store: what goes in comes out, and nothing damaged ever does.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "traces/format/blob_reader.h"
#include "traces/format/blob_writer.h"
#include "traces/format/compress.h"
#include "traces/format/error.h"
#include "traces/format/pack.h"

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

TEST_CASE("a hash is the same whatever the processor can do, at once and in pieces") {
  for (const std::size_t size : {0, 1, 16, 200, 1023, 1024, 1025, 5000, 100'003}) {
    const std::vector<std::byte> bytes = noise(size, size);
    HashStream stream;
    stream.add(std::span(bytes).first(size / 3));
    stream.add(std::span(bytes).subspan(size / 3));
    CHECK(hash_bytes(bytes) == stream.value());
  }
}

TEST_CASE("small, large, empty, compressible and random blobs come back") {
  const Store store;
  std::vector<std::vector<std::byte>> contents = {{},
                                                  noise(1, 1),
                                                  noise(5000, 2),
                                                  std::vector<std::byte>(100'000),
                                                  noise(kPiece + 3, 3),
                                                  std::vector<std::byte>(kPiece * 2)};
  std::vector<Hash> keys;
  {
    BlobWriter writer(store.path, "1");
    for (const auto& bytes : contents) keys.push_back(writer.put(bytes));
  }
  const BlobReader reader(store.path);
  for (std::size_t i = 0; i < contents.size(); ++i) CHECK(reader.read(keys[i]) == contents[i]);
  CHECK(reader.list().size() == contents.size() + 2 + 1);  // two pieces of noise, one of zeros
  CHECK(reader.damage().empty());
  CHECK(fs::file_size(store.pack()) < kPiece + 10'000);  // the zeros were packed
}

TEST_CASE("of contents that differ in one byte only the piece with that byte is stored again") {
  const Store store;
  BlobWriter writer(store.path, "1");
  auto bytes = noise(kPiece * 8 + 100, 8);
  const Hash first = writer.put(bytes);
  const auto size = fs::file_size(store.pack());
  const auto before = bytes;
  bytes[kPiece * 3 + 5] ^= std::byte{1};
  const Hash second = writer.put(bytes);
  CHECK(fs::file_size(store.pack()) - size < kPiece + 1000);
  const BlobReader reader(store.path);
  CHECK(reader.read(first) == before);
  CHECK(reader.read(second) == bytes);
}

TEST_CASE("a list of pieces that lies is refused") {
  const Store store;
  Pack pack(store.path, "1");
  const auto piece = noise(kPiece, 9);
  const Hash key = hash_bytes(piece);
  pack.append(make_blob_header(key, BlobEncoding::stored, kPiece, kPiece), piece);
  const auto add = [&](std::vector<Hash> pieces, std::uint64_t raw_size) {
    const Hash list = key_of_pieces(pieces, raw_size);
    const auto bytes = std::as_bytes(std::span(pieces));
    pack.append(make_blob_header(list, BlobEncoding::pieces, raw_size, bytes.size()), bytes);
    return list;
  };
  const Hash good = add({key, key}, 2 * kPiece);
  const Hash long_end = add({key, key}, 2 * kPiece - 1);
  const Hash too_many = add({key, key}, kPiece);
  const Hash too_few = add({key}, std::uint64_t{1} << 60);
  const Hash absent = add({key, Hash{1, 2}}, 2 * kPiece);
  const Hash nested = add({good, key}, 3 * kPiece);
  const BlobReader reader(store.path);
  CHECK(reader.read(good).size() == 2 * kPiece);
  for (const Hash& bad : {long_end, too_many, too_few, absent, nested})
    CHECK_THROWS_AS(reader.read(bad), FormatError);
}

namespace {

// Most bytes that a process of its own needs for what it does; -1 if that is not as it should be.
template <class Work>
std::int64_t memory_of(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return -1;
  return std::int64_t{usage.ru_maxrss} << 10;
}

}  // namespace

TEST_CASE("a small blob that promises 6.5 GB takes no more memory than it has contents") {
  const Store store;
  constexpr std::uint64_t promised = 6'500'000'000, most = 300 << 20;
  Pack pack(store.path, "1");
  Compressor compressor;
  const auto packed = compressor.pack(std::vector<std::byte>(1 << 20));
  std::vector<std::byte> frame(packed.begin(), packed.end());
  frame.resize(200'000);
  const Hash lies{1, 1};
  pack.append(make_blob_header(lies, BlobEncoding::zstd, promised, frame.size()), frame);
  // And one that does hold many: the same piece again and again.
  const std::vector<std::byte> piece(kPiece);
  const Hash key = hash_bytes(piece);
  const auto small = compressor.pack(piece);
  pack.append(make_blob_header(key, BlobEncoding::zstd, kPiece, small.size()), small);
  const std::vector<Hash> keys(4000, key);
  const std::uint64_t size = keys.size() * kPiece;
  const Hash list = key_of_pieces(keys, size);
  const auto bytes = std::as_bytes(std::span(keys));
  pack.append(make_blob_header(list, BlobEncoding::pieces, size, bytes.size()), bytes);

  const auto refuses = [&](auto read) {
    return memory_of([&] {
      try {
        read(BlobReader(store.path));
        return false;
      } catch (const FormatError& error) {
        return std::string_view(error.what()).find("unpacked") != std::string_view::npos;
      }
    });
  };
  for (const std::int64_t taken :
       {refuses([&](const BlobReader& reader) { reader.read(lies); }),
        refuses([&](const BlobReader& reader) { reader.read_parts(lies, [](auto, auto) {}); }),
        memory_of([&] {
          std::uint64_t next = 0;
          BlobReader(store.path).read_parts(list, [&](std::uint64_t offset, std::span<const std::byte> part) {
            next = offset == next && part.size() <= BlobReader::part_bytes ? next + part.size() : ~next;
          });
          return next == size;
        })}) {
    CHECK(taken > 0);
    CHECK(taken < static_cast<std::int64_t>(most));
  }
}

TEST_CASE("in parts comes what comes whole") {
  const Store store;
  std::vector<std::byte> large = noise(3 * BlobReader::part_bytes + 5, 11);
  std::fill(large.begin() + 1000, large.begin() + 20'000'000, std::byte{7});
  Compressor compressor;
  std::vector<Hash> keys;
  {
    Pack pack(store.path, "1");
    keys.push_back(hash_bytes(large));
    const auto frame = compressor.pack(large);
    REQUIRE(!frame.empty());
    pack.append(make_blob_header(keys[0], BlobEncoding::zstd, large.size(), frame.size()), frame);
    const auto small = noise(100, 12);
    keys.push_back(hash_bytes(small));
    pack.append(make_blob_header(keys[1], BlobEncoding::stored, small.size(), small.size()), small);
  }
  {
    BlobWriter writer(store.path, "2");
    keys.push_back(writer.put(std::span(large).subspan(1)));
    keys.push_back(writer.put({}));
    for (unsigned i = 0; i < 20; ++i) keys.push_back(writer.put(noise(1000 + i, 20 + i)));
  }
  const BlobReader reader(store.path);
  const auto twice = keys;
  keys.insert(keys.end(), twice.begin(), twice.end());
  for (const Hash& key : keys) {
    std::vector<std::byte> parts;
    reader.read_parts(key, [&](std::uint64_t offset, std::span<const std::byte> part) {
      CHECK(offset == parts.size());
      parts.insert(parts.end(), part.begin(), part.end());
    });
    CHECK(parts == reader.read(key));
  }
}

TEST_CASE("a blob in a file of its own, as format 2 wrote it") {
  const Store store;
  const auto bytes = noise(2'000'000, 10);
  const Hash key = hash_bytes(bytes);
  const fs::path folder = store.path / "files" / to_hex(key).substr(0, 2);
  fs::create_directories(folder);
  const BlobHeader header = make_blob_header(key, BlobEncoding::stored, bytes.size(), bytes.size());
  std::ofstream(folder / to_hex(key), std::ios::binary)
      .write(reinterpret_cast<const char*>(&header), sizeof header)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  CHECK(BlobReader(store.path).read(key) == bytes);
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
