// Variables with their initial bytes (PTX ISA 5.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/ptx/module/types.h"
#include "emulator/ptx/text/error.h"

namespace wedjat::ptx {

/// An initial value that is known only once addresses are: of a variable, function or kernel.
struct Relocation {
  std::uint64_t offset = 0;  ///< byte in Variable::data where it goes
  unsigned size = 0;         ///< bytes to write there, little endian
  std::string_view symbol;
  std::int64_t addend = 0;
  bool generic = false;  ///< generic(symbol): the generic address, else the address in the symbol's space
  /// `0xff00(symbol)`: one byte, (address & mask) shifted down to bit 0; 0 if the whole address is meant.
  std::uint64_t mask = 0;
  Location where;
};

struct Variable {
  std::string_view name;
  Space space = Space::global;
  Linkage linkage = Linkage::none;
  Type type = Type::b8;
  std::uint8_t vector_width = 1;
  bool managed = false;
  std::uint32_t alignment = 1;  ///< bytes; the element's natural alignment unless .align says more
  /// Extents, outermost first; empty for a scalar. An unsized first extent without initialiser is 0.
  std::vector<std::uint64_t> extents;
  /// Initial bytes from the start; what lies after them is zero. Empty: all zero.
  std::vector<std::byte> data;
  bool has_initializer = false;
  std::vector<Relocation> relocations;
  /// `{ addr_mode_0 = clamp_to_border, ... }` of a .samplerref or .texref.
  std::vector<std::pair<std::string_view, std::string_view>> properties;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> unified;  ///< .attribute(.unified(a,b))
  Location where;

  std::uint64_t element_size() const { return std::uint64_t{size_of(type)} * vector_width; }
  /// Bytes in memory; 0 for an array of unknown size (`.extern .shared .b8 dyn[]`).
  std::uint64_t size() const;
  bool is_unsized() const { return !extents.empty() && extents.front() == 0; }
};

}  // namespace wedjat::ptx
