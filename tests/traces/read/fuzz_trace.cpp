// libFuzzer target: any damage to a real trace is an error or a trace, never a crash. The input is a list of
// changes to the files of the sample named by WEDJAT_FUZZ_TRACE: {u8 file, u8 operation, u16 position (of
// 65536 parts of the file), u8 value}.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "tests/traces/format/sign_blobs.h"
#include "tests/traces/read/ctf_builder.h"
#include "traces/format/error.h"
#include "traces/format/file.h"
#include "traces/read/image.h"
#include "traces/read/trace.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct File {
  fs::path name;
  std::string bytes;
};

// The metadata declare every call of the driver; without those that the sample never makes, a run is ten
// times faster.
std::string without_unused_events(const std::string& packets, const Trace& trace) {
  std::string text;
  for (std::size_t at = 0; at < packets.size();) {
    std::uint32_t bits[2];  // content, packet
    std::memcpy(bits, &packets[at + 24], sizeof bits);
    text.append(packets, at + 37, bits[0] / 8 - 37);
    at += bits[1] / 8;
  }
  std::set<std::string> used;
  for (const Event& event : trace.events)
    used.insert("\"" + std::string(event.provider) + ":" + std::string(event.name) + "\"");
  const std::string begin = "\nevent {", quote = "\"";
  std::size_t at = text.find(begin);
  std::string kept = text.substr(0, at);
  while (at != text.npos) {
    const std::size_t next = text.find(begin, at + 1), name = text.find(quote, at);
    if (used.count(text.substr(name, text.find(quote, name + 1) - name + 1)))
      kept.append(text, at, next - at);
    at = next;
  }
  return ctf::metadata(kept);
}

std::vector<File> load_sample() {
  const char* sample = std::getenv("WEDJAT_FUZZ_TRACE");
  if (!sample) std::abort();  // a misuse of the target, not a finding
  const TemporaryFolder folder;
  unpack_trace(sample, folder.path());
  const Trace trace = open_trace(folder.path());
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file())
      files.push_back({fs::relative(entry.path(), folder.path()), read_file(entry.path())});
  for (File& file : files)
    if (file.name.filename() == "metadata") file.bytes = without_unused_events(file.bytes, trace);
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
  return files;
}

void change(std::vector<File>& files, const std::uint8_t* what) {
  std::string& bytes = files[what[0] % files.size()].bytes;
  if (bytes.empty()) return;
  const std::size_t at = bytes.size() * (what[2] | what[3] << 8 | what[4] << 16) >> 24;
  switch (what[1] % 4) {
    case 0:
      bytes[at] = static_cast<char>(what[5]);
      break;
    case 1:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << what[5] % 8);
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.insert(at, what[5], static_cast<char>(what[5]));
      break;
  }
}

void sign_events(const fs::path& folder) {
  Manifest manifest = read_manifest(folder);
  manifest.event_files = hash_event_files(folder);
  write_manifest(folder, manifest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<File>& sample = *new std::vector<File>(load_sample());
  std::vector<File> files = sample;
  for (std::size_t at = 0; at + 6 <= size; at += 6) change(files, data + at);
  const TemporaryFolder folder;
  for (File& file : files) {
    sign_blobs(file.bytes);
    fs::create_directories((folder.path() / file.name).parent_path());
    std::ofstream(folder.path() / file.name, std::ios::binary) << file.bytes;
  }
  try {
    sign_events(folder.path());
    const Trace trace = open_trace(folder.path());
    for (const Call& call : group_calls(trace).calls)
      for (const Event* event : call.attached)
        if (event->name == "image") read_image("image", trace.contents(*event));
  } catch (const FormatError&) {
  }
  return 0;
}
