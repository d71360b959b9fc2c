// What the words between a state space and a name say.
#pragma once

#include <optional>
#include <utility>

#include "emulator/ptx/declarations/declarations.h"

namespace wedjat::ptx {

struct Declarations::Specified {
  Type type = Type::b8;
  std::uint8_t vector_width = 1;
  std::uint32_t alignment = 0;  ///< 0: not written
  bool has_type = false, managed = false, is_pointer = false;
  Space pointer_space = Space::generic;
  std::uint32_t pointer_alignment = 4;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> unified;

  std::uint32_t natural_or_written_alignment() const {
    const std::uint32_t natural = size_of(type) == 0 ? 1 : size_of(type) * vector_width;
    return alignment > natural ? alignment : natural;
  }
};

}  // namespace wedjat::ptx
