// Shapes of rows as bytes.
#pragma once
#include <map>

#include "emulator/compile/analysis/shape.h"
#include "emulator/compile/cache/bytes.h"

namespace wedjat::compile {

inline void put_shape(ByteWriter& to, const Shape& shape) {
  to.put(shape.kind);
  to.put(shape.sx);
  to.put(shape.sy.has_value());
  to.put(shape.sy.value_or(0));
  to.put(shape.constant.has_value());
  to.put(shape.constant.value_or(0));
}

inline Shape get_shape(ByteReader& from) {
  Shape shape;
  shape.kind = from.get<Shape::Kind>();
  shape.sx = from.get<std::int64_t>();
  const bool has_sy = from.get<bool>();
  const auto sy = from.get<std::int64_t>();
  if (!has_sy)
    shape.sy = std::nullopt;
  else
    shape.sy = sy;
  const bool is_constant = from.get<bool>();
  const auto constant = from.get<std::uint64_t>();
  if (is_constant) shape.constant = constant;
  return shape;
}

inline void put_shapes(ByteWriter& to, const std::map<std::uint32_t, Shape>& shapes) {
  to.put(static_cast<std::uint64_t>(shapes.size()));
  for (const auto& [offset, shape] : shapes) {
    to.put(offset);
    put_shape(to, shape);
  }
}

inline std::map<std::uint32_t, Shape> get_shapes(ByteReader& from) {
  std::map<std::uint32_t, Shape> shapes;
  for (auto count = from.get<std::uint64_t>(); count != 0; --count) {
    const auto offset = from.get<std::uint32_t>();
    shapes.emplace_hint(shapes.end(), offset, get_shape(from));
  }
  return shapes;
}

}  // namespace wedjat::compile
