// The fatbins, cubins and texts that a program hands to the driver by a pointer alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wedjat::interposer {

// An ELF file in memory ends behind the last of its headers and sections.
bool is_elf(const void* image);
// Whether an ELF file is machine code for a GPU, as far as its header tells.
bool is_cubin(const void* image);
std::size_t elf_size(const void* image);

// Of one image by its own header; of text up to the NUL that ends it.
std::span<const std::byte> measured_image(const void* image);

// The image; of what nvcc -rdc=true links, the linked one and one a translation unit.
std::vector<std::span<const std::byte>> image_parts(const void* image);

inline constexpr unsigned fatbin_magic = 0xBA55ED50;

// What a fatbin begins with; its parts follow.
struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t fat_size;  // without the header
};

}  // namespace wedjat::interposer
