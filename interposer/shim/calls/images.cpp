#include "interposer/shim/calls/images.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "interposer/shim/calls/made_of.h"
#include "interposer/shim/events/export.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/events/payload.h"

namespace wedjat::interposer {
namespace {

using traces::ImageKind;

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kFatbinMagic = 0xBA55ED50;

// What nvcc puts into .nvFatBinSegment.
struct FatbinWrapper {
  std::uint32_t magic;
  std::uint32_t version;  // 2: linked_parts is a null-terminated array of fatbins, one a translation unit
  const void* data;
  const void* const* linked_parts;
};

struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t fat_size;
};

template <typename T>
T load(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

bool is_elf(const void* image) { return std::memcmp(image, ELFMAG, SELFMAG) == 0; }

// An ELF file in memory ends behind the last of its headers and sections.
std::size_t elf_size(const void* image) {
  const auto* bytes = static_cast<const std::byte*>(image);
  const auto header = load<Elf64_Ehdr>(image);
  std::uint64_t end = sizeof header;
  end = std::max(end, header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  end = std::max(end, header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = load<Elf64_Shdr>(bytes + header.e_shoff + std::size_t{i} * header.e_shentsize);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = load<Elf64_Phdr>(bytes + header.e_phoff + std::size_t{i} * header.e_phentsize);
    end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

ImageKind kind_of(std::span<const std::byte> image) {
  if (image.size() >= 4 && load<std::uint32_t>(image.data()) == kFatbinMagic) return ImageKind::fatbin;
  if (image.size() >= SELFMAG && is_elf(image.data())) return ImageKind::elf;
  if (image.size() >= 8 && std::memcmp(image.data(), "!<arch>\n", 8) == 0) return ImageKind::archive;
  // PTX is text: nothing below a tab anywhere near its beginning.
  const auto text = image.first(std::min<std::size_t>(image.size(), 64));
  const bool printable = std::all_of(text.begin(), text.end(),
                                     [](std::byte b) { return b == std::byte{0} || b >= std::byte{9}; });
  return printable && !image.empty() ? ImageKind::ptx : ImageKind::other;
}

void tell(const Call& call, std::uint32_t index, const void* address, std::span<const std::byte> bytes,
          const char* origin) {
  const traces::Hash hash = blobs().put(bytes);
  wj_image event{};
  event.seq = next_sequence();
  event.call = call.sequence;
  event.index = index;
  event.kind = static_cast<std::uint8_t>(kind_of(bytes));
  event.address = reinterpret_cast<std::uint64_t>(address);
  event.size = bytes.size();
  event.hash_high = hash.high;
  event.hash_low = hash.low;
  event.origin = text_or_empty(origin);
  wj_emit_image(&event);
}

// As the recorder measures an image that the application loads without a size.
std::span<const std::byte> measured(const void* image, std::size_t size) {
  const bool elf = size >= sizeof(Elf64_Ehdr) && is_elf(image);
  return bytes_at(image, elf ? std::min(size, elf_size(image)) : size);
}

void tell_part(const traces::Hash& made, std::uint32_t index, const wedjat_part& part) {
  const std::span<const std::byte> bytes = measured(part.data, part.size);
  const traces::Hash hash = blobs().put(bytes);
  wj_made_of event{};
  event.seq = next_sequence();
  event.made_high = made.high;
  event.made_low = made.low;
  event.index = index;
  event.kind = static_cast<std::uint8_t>(kind_of(bytes));
  event.size = bytes.size();
  event.hash_high = hash.high;
  event.hash_low = hash.low;
  event.origin = text_or_empty(part.origin);
  wj_emit_made_of(&event);
}

void tell_measured(const Call& call, std::uint32_t index, const void* image) {
  std::size_t size = 0;
  if (load<std::uint32_t>(image) == kFatbinMagic) {
    const auto header = load<FatbinHeader>(image);
    size = header.header_size + header.fat_size;
  } else if (is_elf(image)) {
    size = elf_size(image);
  } else {
    size = std::strlen(static_cast<const char*>(image)) + 1;
  }
  tell(call, index, image, bytes_at(image, size), "");
}

}  // namespace

void image_data(const Call& call, const void* image) {
  if (image == nullptr) return;
  if (load<std::uint32_t>(image) != kWrapperMagic) return tell_measured(call, 0, image);
  const auto wrapper = load<FatbinWrapper>(image);
  tell_measured(call, 0, wrapper.data);
  if (wrapper.version < 2 || wrapper.linked_parts == nullptr) return;
  for (std::uint32_t i = 0; wrapper.linked_parts[i] != nullptr; ++i)
    tell_measured(call, i + 1, wrapper.linked_parts[i]);
}

void image_bytes(const Call& call, const void* data, std::size_t size, const char* origin) {
  if (data != nullptr) tell(call, 0, data, bytes_at(data, size), origin);
}

void image_file(const Call& call, const char* path) {
  if (path == nullptr) return;
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  if (!file.is_open() || bytes.empty()) return;  // the driver refuses it too
  tell(call, 0, nullptr, bytes_at(bytes.data(), bytes.size()), path);
}

}  // namespace wedjat::interposer

extern "C" WEDJAT_EXPORT void wedjat_made_of(const void* code, std::size_t size, const wedjat_part* parts,
                                             std::size_t count) {
  using namespace wedjat::interposer;
  if (code == nullptr || !recording()) return;
  try {
    const wedjat::traces::Hash made = wedjat::traces::hash_bytes(measured(code, size));
    for (std::uint32_t i = 0; i < count; ++i) tell_part(made, i, parts[i]);
  } catch (const std::exception& error) {
    trouble(0, error.what());
  }
}
