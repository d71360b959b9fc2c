// The least and the greatest of the values that one place takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::traces {

class Spread {
 public:
  using Bytes = std::span<const std::byte>;

  // Of elements of 1, 2, 4 or 8 bytes, which are WEDJAT_FLOAT, WEDJAT_SIGNED or anything else.
  Spread(unsigned bytes, wedjat_value value);
  Spread() : Spread(1, WEDJAT_BITS) {}
  // Of what an instruction writes from its last register: "st.global.v2.f32" writes two floats of 4 bytes.
  explicit Spread(const wedjat_instruction& writer);

  void add(Bytes value);
  // Whether each element lies between the least and the greatest one, both included.
  bool holds(Bytes value) const;

 private:
  std::vector<std::uint64_t> ranks(Bytes value) const;

  unsigned bytes_;  // of an element
  bool is_float_, is_signed_;
  std::vector<std::uint64_t> least_, greatest_;  // by element, in numeric order
};

}  // namespace wedjat::traces
