// libFuzzer target: any damage to a real trace is an error or a trace, never a crash. The input is a list of changes to the files of the
// sample named by WEDJAT_FUZZ_TRACE: {u8 file, u8 operation, u16 position (of 65536 parts of the file), u8 value}.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "traces/format/error.h"
#include "traces/read/image.h"
#include "traces/read/trace.h"

using namespace wedjat::traces;
namespace fs = std::filesystem;

namespace {

struct File {
  fs::path name;
  std::string bytes;
};

std::vector<File> load_sample() {
  const char* sample = std::getenv("WEDJAT_FUZZ_TRACE");
  if (!sample) std::abort();  // a misuse of the target, not a finding
  const TemporaryFolder folder;
  unpack_trace(sample, folder.path());
  std::vector<File> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      files.push_back({fs::relative(entry.path(), folder.path()), {std::istreambuf_iterator<char>(in), {}}});
    }
  return files;
}

void change(std::vector<File>& files, const std::uint8_t* what) {
  std::string& bytes = files[what[0] % files.size()].bytes;
  if (bytes.empty()) return;
  const std::size_t at = bytes.size() * (what[2] | what[3] << 8) / 65536;
  switch (what[1] % 4) {
    case 0: bytes[at] = static_cast<char>(what[4]); break;
    case 1: bytes[at] = static_cast<char>(bytes[at] ^ 1 << what[4] % 8); break;
    case 2: bytes.resize(at); break;
    case 3: bytes.insert(at, what[4], static_cast<char>(what[4])); break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<File>& sample = *new std::vector<File>(load_sample());
  std::vector<File> files = sample;
  for (std::size_t at = 0; at + 5 <= size; at += 5) change(files, data + at);
  const TemporaryFolder folder;
  for (const File& file : files) {
    fs::create_directories((folder.path() / file.name).parent_path());
    std::ofstream(folder.path() / file.name, std::ios::binary) << file.bytes;
  }
  try {
    const Trace trace = open_trace(folder.path());
    for (const Call& call : group_calls(trace).calls)
      for (const Event* event : call.attached)
        if (event->name == "image") read_image("image", trace.contents(*event));
  } catch (const FormatError&) {
  }
  return 0;
}
