// How the values of a row lie over the lanes, as far as code can be made for it.
//
// Lanes stand in a block `width` wide: lane l at x = l mod width, y = l div width (width 32: y = 0). A row
// that is no vector holds base + x * sx + y * sy, wrapped around at its width; with both steps 0 all lanes
// hold the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace wedjat::compile {

struct Shape {
  enum class Kind : std::uint8_t {
    unknown,  ///< no value has come here yet
    affine,
    vector,
  };
  Kind kind = Kind::unknown;
  std::int64_t sx = 0;
  std::optional<std::int64_t> sy = 0;          ///< absent: known only when the code runs
  std::optional<std::uint64_t> constant = {};  ///< of a uniform one: its value, if that is known

  static Shape uniform() { return {.kind = Kind::affine}; }
  static Shape of(std::uint64_t constant) { return {.kind = Kind::affine, .constant = constant}; }
  static Shape affine(std::int64_t sx, std::optional<std::int64_t> sy) {
    return {.kind = Kind::affine, .sx = sx, .sy = sy};
  }
  static Shape vector() { return {.kind = Kind::vector}; }

  bool is_vector() const { return kind == Kind::vector; }
  bool is_affine() const { return kind == Kind::affine; }
  bool is_uniform() const { return kind == Kind::affine && sx == 0 && sy == 0; }
  bool operator==(const Shape&) const = default;
};

/// What holds for both.
Shape join(const Shape& a, const Shape& b);

Shape sum(const Shape& a, const Shape& b, unsigned bits, int sign);
Shape product(const Shape& a, const Shape& b, unsigned bits);
/// The low `bits`.
Shape truncated(const Shape& a, unsigned bits);

/// Of what the lanes of `mask` hold now. `bytes` of an element; 0: a predicate.
Shape observed(const std::byte* row, unsigned bytes, std::uint32_t mask, unsigned width);

/// Of numbers that are known, with both steps: those of the first `lanes`.
Shape exact(std::span<const std::uint64_t, 32> row, unsigned width, unsigned lanes = 32);

}  // namespace wedjat::compile
