#include "interposer/images/libraries.h"

#include <cstring>
#include <string_view>

#include "interposer/images/image_parts.h"

namespace wedjat::interposer {

namespace {

// The member of libcudadevrt.a, as the archive's headers call it.
constexpr std::string_view runtime_member = "cuda_device_runtime.o/";

bool holds(std::span<const std::byte> file, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).find(text) !=
         std::string_view::npos;
}

}  // namespace

std::vector<LinkedPart> code_of_library(const std::string& name, std::span<const std::byte> file) {
  if (holds(file, runtime_member)) {
    const std::string_view text(device_runtime);
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    return {{name, {bytes, bytes + text.size()}}};
  }
  std::vector<LinkedPart> parts;
  // Members of an archive begin at even places, and the sections of an object are aligned in there.
  for (std::size_t at = 0; at + sizeof(FatbinHeader) <= file.size();) {
    FatbinHeader header;
    std::memcpy(&header, file.data() + at, sizeof header);
    const std::size_t rest = file.size() - at;
    if (header.magic != fatbin_magic || header.version != 1 || header.header_size < sizeof header ||
        header.fat_size == 0 || header.header_size > rest || header.fat_size > rest - header.header_size) {
      at += 2;
      continue;
    }
    const std::size_t size = header.header_size + static_cast<std::size_t>(header.fat_size);
    parts.push_back({name,
                     {file.begin() + static_cast<std::ptrdiff_t>(at),
                      file.begin() + static_cast<std::ptrdiff_t>(at + size)}});
    at += size;
  }
  return parts;
}

bool wants_device_runtime(std::string_view ptx) {
  constexpr std::string_view declaration = ".extern .func";
  for (std::size_t at = ptx.find(declaration); at != ptx.npos; at = ptx.find(declaration, at + 1)) {
    const std::string_view head = ptx.substr(at, ptx.find(';', at) - at);
    for (const char* name : {"cudaGraphSetConditional", "cudaCG"})
      if (head.find(name) != head.npos) return true;
  }
  return false;
}

bool is_archive(std::span<const std::byte> file) {
  constexpr std::string_view beginning = "!<arch>\n";
  return file.size() >= beginning.size() && std::memcmp(file.data(), beginning.data(), beginning.size()) == 0;
}

}  // namespace wedjat::interposer
