#include "interposer/images/image_parts.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "interposer/images/linked.h"

namespace wedjat::interposer {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243B1;

// What nvcc puts into .nvFatBinSegment.
struct FatbinWrapper {
  std::uint32_t magic;
  std::uint32_t version;  // 2: linked_parts is a null-terminated array of fatbins, one a translation unit
  const void* data;
  const void* const* linked_parts;
};

template <typename T>
T load(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

}  // namespace

bool is_elf(const void* image) { return std::memcmp(image, ELFMAG, SELFMAG) == 0; }

bool is_cubin(const void* image) {
  const auto header = load<Elf64_Ehdr>(image);
  return header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == EM_CUDA &&
         header.e_ehsize == sizeof header &&
         (header.e_shnum == 0 || header.e_shentsize == sizeof(Elf64_Shdr)) &&
         (header.e_phnum == 0 || header.e_phentsize == sizeof(Elf64_Phdr));
}

// Of what only begins like one nothing behind the header may be looked at.
std::size_t elf_size(const void* image) {
  const auto* bytes = static_cast<const std::byte*>(image);
  const auto header = load<Elf64_Ehdr>(image);
  if (!is_cubin(image)) return sizeof header;
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

std::span<const std::byte> measured_image(const void* image) {
  const auto* bytes = static_cast<const std::byte*>(image);
  if (load<std::uint32_t>(image) == fatbin_magic) {
    const auto header = load<FatbinHeader>(image);
    return {bytes, header.header_size + header.fat_size};
  }
  if (is_elf(image)) return {bytes, elf_size(image)};
  if (is_linked(image)) return {bytes, linked_size(image)};
  return {bytes, std::strlen(static_cast<const char*>(image)) + 1};
}

std::vector<std::span<const std::byte>> image_parts(const void* image) {
  if (load<std::uint32_t>(image) != wrapper_magic) return {measured_image(image)};
  const auto wrapper = load<FatbinWrapper>(image);
  std::vector<std::span<const std::byte>> parts{measured_image(wrapper.data)};
  if (wrapper.version < 2 || wrapper.linked_parts == nullptr) return parts;
  for (const void* const* part = wrapper.linked_parts; *part != nullptr; ++part)
    parts.push_back(measured_image(*part));
  return parts;
}

}  // namespace wedjat::interposer
