#include "emulator/compile/analysis/shape.h"

#include <cstring>

namespace wedjat::compile {

namespace {

// The number of `bits` that `value` is congruent to, as a signed one.
std::int64_t wrapped(std::uint64_t value, unsigned bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

std::uint64_t element(const std::byte* row, unsigned bytes, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, row + std::size_t{lane} * bytes, bytes);
  return value;
}

}  // namespace

Shape join(const Shape& a, const Shape& b) {
  if (a.kind == Shape::Kind::unknown) return b;
  if (b.kind == Shape::Kind::unknown) return a;
  if (a.is_vector() || b.is_vector() || a.sx != b.sx) return Shape::vector();
  Shape both = Shape::affine(a.sx, a.sy == b.sy ? a.sy : std::nullopt);
  if (a.constant == b.constant) both.constant = a.constant;
  return both;
}

Shape sum(const Shape& a, const Shape& b, unsigned bits, int sign) {
  if (!a.is_affine() || !b.is_affine()) return Shape::vector();
  const auto steps = [&](std::int64_t x, std::int64_t y) {
    const auto more = static_cast<std::uint64_t>(y);
    return wrapped(static_cast<std::uint64_t>(x) + (sign > 0 ? more : 0 - more), bits);
  };
  Shape result = Shape::affine(steps(a.sx, b.sx), std::nullopt);
  if (a.sy && b.sy) result.sy = steps(*a.sy, *b.sy);
  if (a.constant && b.constant)
    result.constant = static_cast<std::uint64_t>(
        steps(static_cast<std::int64_t>(*a.constant), static_cast<std::int64_t>(*b.constant)));
  return result;
}

Shape product(const Shape& a, const Shape& b, unsigned bits) {
  if (!a.is_affine() || !b.is_affine()) return Shape::vector();
  if (!a.is_uniform()) return b.is_uniform() ? product(b, a, bits) : Shape::vector();
  if (b.is_uniform()) {
    if (!a.constant || !b.constant) return Shape::uniform();
    return Shape::of(static_cast<std::uint64_t>(wrapped(*a.constant * *b.constant, bits)));
  }
  if (!a.constant) return b.sx == 0 ? Shape::affine(0, std::nullopt) : Shape::vector();
  Shape result = Shape::affine(wrapped(*a.constant * static_cast<std::uint64_t>(b.sx), bits), std::nullopt);
  if (b.sy) result.sy = wrapped(*a.constant * static_cast<std::uint64_t>(*b.sy), bits);
  return result;
}

Shape truncated(const Shape& a, unsigned bits) {
  if (!a.is_affine()) return a;
  Shape result = Shape::affine(wrapped(static_cast<std::uint64_t>(a.sx), bits), a.sy);
  if (a.sy) result.sy = wrapped(static_cast<std::uint64_t>(*a.sy), bits);
  if (a.constant) result.constant = static_cast<std::uint64_t>(wrapped(*a.constant, bits));
  return result;
}

Shape observed(const std::byte* row, unsigned bytes, std::uint32_t mask, unsigned width) {
  if (bytes == 0) {
    std::uint32_t bits;
    std::memcpy(&bits, row, sizeof bits);
    return (bits & mask) == 0 || (bits & mask) == mask ? Shape::uniform() : Shape::vector();
  }
  if (bytes > 8 || mask == 0) return Shape::vector();
  const auto first = static_cast<unsigned>(__builtin_ctz(mask));
  const unsigned bits = 8 * bytes;
  // As two lanes show it that stand side by side, or one below the other.
  const auto step = [&](unsigned distance) -> std::int64_t {
    for (unsigned lane = 0; lane + distance < 32; ++lane)
      if ((mask >> lane & mask >> (lane + distance) & 1) != 0 && (distance != 1 || (lane + 1) % width != 0))
        return wrapped(element(row, bytes, lane + distance) - element(row, bytes, lane), bits);
    return 0;
  };
  const std::int64_t sx = step(1), sy = width < 32 ? step(width) : 0;
  for (unsigned lane = first; lane < 32; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const auto x = static_cast<std::uint64_t>(lane % width) - first % width,
               y = std::uint64_t{lane / width} - first / width;
    const std::uint64_t expected = static_cast<std::uint64_t>(sx) * x + static_cast<std::uint64_t>(sy) * y;
    if (wrapped(element(row, bytes, lane) - element(row, bytes, first), bits) != wrapped(expected, bits))
      return Shape::vector();
  }
  if (sx == 0 && sy == 0) return Shape::uniform();
  if (bytes < 4) return Shape::vector();
  // How far it is from row to row can be looked up where all lanes take part.
  return Shape::affine(sx, width < 32 && mask == 0xffffffffu ? std::nullopt : std::optional(sy));
}

Shape exact(std::span<const std::uint64_t, 32> row, unsigned width, unsigned lanes) {
  const std::uint64_t sx = lanes > 1 ? row[1] - row[0] : 0, sy = width < lanes ? row[width] - row[0] : 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (row[lane] - row[0] != sx * (lane % width) + sy * (lane / width)) return Shape::vector();
  return Shape::affine(static_cast<std::int64_t>(sx), static_cast<std::int64_t>(sy));
}

}  // namespace wedjat::compile
