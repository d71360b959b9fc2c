// mutate_recording RECORDING SEED OUT: makes the folder OUT, the recording after one to three changes that
// the seed chooses, and tells them; with SEED 0 as it is. What holds hashes of itself is signed again, so
// that readers look at what was changed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/traces/format/sign_blobs.h"
#include "traces/format/file.h"
#include "traces/format/manifest.h"
#include "traces/format/names.h"
#include "traces/read/archive.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

using Random = std::mt19937_64;

struct File {
  fs::path name;
  std::string bytes;

  bool holds_events() const {
    return name.filename().string().starts_with("calls_") && name.extension() != ".idx";
  }
};

// Bytes of events: LTTng-UST's headers take 84 bytes of each packet, its content_size and packet_size (in
// bits) stand at 48 and 56.
struct Part {
  std::size_t begin = 0, end = 0;
};

constexpr std::size_t headers = 84;

std::vector<Part> events_of(const std::string& stream) {
  std::vector<Part> parts;
  for (std::size_t at = 0; at + headers <= stream.size();) {
    std::uint64_t bits[2];
    std::memcpy(bits, &stream[at + 48], sizeof bits);
    const std::size_t content = bits[0] / 8, packet = bits[1] / 8;
    if (content > headers && at + content <= stream.size()) parts.push_back({at + headers, at + content});
    if (packet == 0) break;
    at += packet;
  }
  return parts;
}

std::uint64_t other_word(std::uint64_t word, const std::string& bytes, std::size_t size, Random& random) {
  switch (random() % 8) {
    case 0:
      return random() % 4;
    case 1:
      return ~std::uint64_t{0} - random() % 3;
    case 2:
      return std::uint64_t{1} << random() % (8 * size);
    case 3:
      return (std::uint64_t{1} << random() % (8 * size)) - 1;
    case 4:
      return word + 1 - 2 * (random() % 2);
    case 5:
      return word ^ std::uint64_t{1} << random() % (8 * size);
    case 6:
      return word * (2 + random() % 1000);
    default:
      std::memcpy(&word, &bytes[random() % (bytes.size() - size + 1)], size);
      return word;
  }
}

// A field of an event says something else, most likely: numbers there have one to eight bytes and are
// aligned.
bool change_word(File& file, Random& random) {
  const std::vector<Part> parts = events_of(file.bytes);
  if (parts.empty()) return false;
  const Part part = parts[random() % parts.size()];
  const std::size_t size = std::size_t{1} << random() % 4;
  const std::size_t at = (part.begin + random() % (part.end - part.begin)) / size * size;
  if (at < part.begin || at + size > part.end) return false;
  std::uint64_t word = 0;
  std::memcpy(&word, &file.bytes[at], size);
  word = other_word(word, file.bytes, size, random);
  std::memcpy(&file.bytes[at], &word, size);
  fmt::print("{}: {} bytes at {} say {:#x}\n", file.name.string(), size, at, word);
  return true;
}

bool change_bytes(File& file, Random& random) {
  if (file.bytes.empty()) return false;
  const std::size_t at = random() % file.bytes.size();
  const std::uint64_t how = random() % 6;
  if (how == 0)
    file.bytes.resize(at);
  else if (how == 1)
    file.bytes.insert(at, 1 + random() % 100, static_cast<char>(random()));
  else if (how == 2)
    file.bytes.erase(at, 1 + random() % 100);
  else
    file.bytes[at] = static_cast<char>(how < 5 ? file.bytes[at] ^ 1 << random() % 8 : random());
  fmt::print("{}: change {} of bytes at {}\n", file.name.string(), how, at);
  return true;
}

void change(std::vector<File>& files, Random& random) {
  for (std::uint64_t left = 1 + random() % 3; left != 0; --left) {
    const bool words = random() % 5 != 0;
    for (bool done = false; !done;) {  // most streams have no events
      File& file = files[random() % files.size()];
      done = words ? file.holds_events() && change_word(file, random) : change_bytes(file, random);
    }
  }
}

std::vector<File> files_of(const fs::path& folder) {
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.push_back({fs::relative(entry.path(), folder), read_file(entry.path())});
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return files;
}

void write(const std::vector<File>& files, const fs::path& folder) {
  for (const File& file : files) {
    fs::create_directories((folder / file.name).parent_path());
    std::ofstream(folder / file.name, std::ios::binary) << file.bytes;
  }
}

// A manifest that cannot be read any more stays as it is: readers have to say so.
void sign_events(const fs::path& folder) try {
  Manifest manifest = read_manifest(folder);
  manifest.event_files = hash_event_files(folder);
  write_manifest(folder, manifest);
} catch (const std::exception&) {
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const TemporaryFolder whole;
  unpack_trace(argv[1], whole.path());
  std::vector<File> files = files_of(whole.path());
  Random random(std::stoull(argv[2]));
  if (std::stoull(argv[2]) != 0) change(files, random);
  for (File& file : files)
    if (file.name.extension() == ".pack") sign_blobs(file.bytes);
  write(files, argv[3]);
  sign_events(argv[3]);
}
