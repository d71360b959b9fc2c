// What our cuLinkComplete gives instead of a cubin: a container that keeps the PTX it was made of.
//
//   "WEDJATLK"   8 bytes
//   size         u64: of the whole container
//   count        u64: of the parts
//   count times: size of the name, size of the part (u64 each), the name, the part
//
// All numbers are little-endian.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wedjat::interposer {

struct LinkedPart {
  std::string name;  // as the program called it
  std::vector<std::byte> bytes;
};

std::vector<std::byte> write_linked(const std::vector<LinkedPart>& parts);

bool is_linked(const void* image);
std::size_t linked_size(const void* image);
// Nothing where it is damaged.
std::optional<std::vector<LinkedPart>> read_linked(std::span<const std::byte> container);

}  // namespace wedjat::interposer
