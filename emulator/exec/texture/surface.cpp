#include "emulator/exec/texture/surface.h"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/texture/texel_objects.h"
#include "emulator/exec/warp/pieces.h"

namespace wedjat::exec {
namespace {

// x in elements of `bytes`. The signed coordinate i of `size`; -1: outside.
std::int64_t placed(std::int32_t i, std::uint64_t size, Outside mode) {
  const auto last = static_cast<std::int64_t>(size) - 1;
  if (mode == Outside::clamp) return std::clamp<std::int64_t>(i, 0, last);
  return i < 0 || i > last ? -1 : i;
}

void place_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                 Outside mode, Use use, const std::uint64_t* handle,
                 std::initializer_list<const std::uint32_t*> at, unsigned bytes, std::uint64_t* address) {
  Pieces* const wanted = pieces_wanted(warp);
  const memory::Array* array = nullptr;  // that `known` names
  std::uint64_t known = 0, columns = 0;
  unsigned unit = bytes;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    if (array == nullptr || handle[lane] != known) {
      known = handle[lane];
      array = &surface_of(warp, step, lane, known);
      if (bytes == 0) unit = array->shape().texel_bytes();
      columns = array->shape().row_bytes() / unit;
    }
    const memory::ArrayShape& shape = array->shape();
    auto next = at.begin();
    const auto coordinate = [&] { return static_cast<std::int32_t>((*next++)[lane]); };
    // The hardware takes 16 bits of a layer (measured: H200).
    std::int64_t z = is_layered(geometry) ? placed(coordinate() & 0xffff, shape.planes(), mode) : 0;
    const std::int32_t first = coordinate();
    if (bytes != 0 && (first & static_cast<std::int32_t>(bytes - 1)) != 0)
      fail(warp, step.id, 1u << lane, FaultKind::misaligned,
           fmt::format("byte {} of a row of the surface, in an access of {} bytes", first, bytes));
    const std::int64_t x = placed(bytes == 0 ? first : first >> __builtin_ctz(unit), columns, mode);
    const std::int64_t y = dimensions(geometry) > 1 ? placed(coordinate(), shape.rows(), mode) : 0;
    if (dimensions(geometry) > 2) z = placed(coordinate(), shape.planes(), mode);
    address[lane] = 0;
    if (x >= 0 && y >= 0 && z >= 0)
      address[lane] = array->address() + static_cast<std::uint64_t>(x) * unit +
                      array->row_offset(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
    else if (mode == Outside::trap)
      fail(warp, step.id, 1u << lane, FaultKind::out_of_bounds, "a coordinate outside the surface");
    if (wanted != nullptr && address[lane] != 0)
      wanted->push_back({address[lane], unit, next_part(*wanted), static_cast<std::uint8_t>(lane),
                         kernel::Space::Global, use == Use::read, use == Use::write, use == Use::update});
  }
}

}  // namespace

void surface_texel_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                         Outside mode, Use use, const std::uint64_t* handle,
                         std::initializer_list<const std::uint32_t*> at, std::uint64_t* address) {
  place_lanes(warp, step, mask, geometry, mode, use, handle, at, 0, address);
}

void surface_bytes_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                         Outside mode, Use use, const std::uint64_t* handle,
                         std::initializer_list<const std::uint32_t*> at, unsigned bytes,
                         std::uint64_t* address) {
  place_lanes(warp, step, mask, geometry, mode, use, handle, at, bytes, address);
}

}  // namespace wedjat::exec
