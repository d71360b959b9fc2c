// What our cuLinkComplete gives instead of a cubin: a container that keeps the PTX it was made of.
//
//   "WEDJATL2"   8 bytes
//   size         u64: of the whole container
//   options      u64: how many; each a CUjit_option and its value (u64 each)
//   count        u64: of the parts
//   count times: size of the name, size of the part (u64 each), the name, the part
//
// All numbers are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wedjat::interposer {

struct LinkedPart {
  std::string name;  // as the program called it
  std::vector<std::byte> bytes;
};

// How the parts are to be compiled, where cuLinkCreate was told so.
struct LinkedOption {
  std::uint64_t option, value;
};

struct Linked {
  std::vector<LinkedOption> options;
  std::vector<LinkedPart> parts;
};

std::vector<std::byte> write_linked(const Linked& linked);

bool is_linked(const void* image);
std::size_t linked_size(const void* image);
// Nothing where it is damaged.
std::optional<Linked> read_linked(std::span<const std::byte> container);

}  // namespace wedjat::interposer
