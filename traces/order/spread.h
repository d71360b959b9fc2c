// The least and the greatest of the values that one place takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wedjat::traces {

class Spread {
 public:
  using Bytes = std::span<const std::byte>;

  // Of elements of the type that an instruction's form ends with: "st.global.v2.f32" writes two of f32.
  explicit Spread(std::string_view form);
  Spread() : Spread("b8") {}  // bytes

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
