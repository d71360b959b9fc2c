#include "interposer/live/work/copies.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wedjat::live {
namespace {

using interposer::Extent;

// One side of a copy: on a device, or where the host has it.
struct Place {
  device::Device* on = nullptr;  // null: memory of the host alone
  std::uint64_t address = 0;

  void read(std::uint64_t offset, std::span<std::byte> bytes) const {
    if (on)
      on->read(address + offset, bytes);
    else
      std::memcpy(bytes.data(), reinterpret_cast<const std::byte*>(address + offset), bytes.size());
  }
  void write(std::uint64_t offset, std::span<const std::byte> bytes) const {
    if (on)
      on->write(address + offset, bytes);
    else
      std::memcpy(reinterpret_cast<std::byte*>(address + offset), bytes.data(), bytes.size());
  }
  std::byte* host(std::uint64_t offset) const { return reinterpret_cast<std::byte*>(address + offset); }
};

Place place_of(Line line, std::uint64_t span) {
  const Allocation* const memory = driver().memory.find(line.address);
  CUctx_st& here = context();
  device::Device& device = memory && !memory->of_host() ? memory->owner->device : here.device;
  if (device.holds(line.address, span)) return {&device, line.address};
  // An allocation or a variable that is too small is no memory of the host.
  require(line.owner != Owner::device && line.address != 0 && (memory == nullptr || memory->of_host()));
  require(memory != nullptr || !device.holds(line.address, 1));
  require(!driver().memory.device_addresses().contains(line.address));
  return {nullptr, line.address};
}

// One that is written.
Place target_of(Line line, std::uint64_t span) {
  const Place place = place_of(line, span);
  require(place.on == nullptr ||
          !(place.on->is_read_only(line.address) || place.on->is_read_only(line.address + span - 1)));
  return place;
}

void move(const Place& to, std::uint64_t to_offset, const Place& from, std::uint64_t from_offset,
          std::uint64_t bytes) {
  if (!from.on && !to.on) {
    std::memmove(to.host(to_offset), from.host(from_offset), bytes);
  } else if (!from.on) {
    to.write(to_offset, {from.host(from_offset), bytes});
  } else if (!to.on) {
    from.read(from_offset, {to.host(to_offset), bytes});
  } else {
    // Small enough for a near cache.
    thread_local std::array<std::byte, 128 * 1024> buffer;
    for (std::uint64_t done = 0; done < bytes;) {
      const std::uint64_t now = std::min<std::uint64_t>(bytes - done, buffer.size());
      from.read(from_offset + done, std::span(buffer).first(now));
      to.write(to_offset + done, std::span(buffer).first(now));
      done += now;
    }
  }
}

Line line_of(const interposer::BoxSide& side) {
  switch (side.type) {
    case CU_MEMORYTYPE_HOST:
      return {side.start(), Owner::host};
    case CU_MEMORYTYPE_DEVICE:
      return {side.start(), Owner::device};
    case CU_MEMORYTYPE_UNIFIED:
      return {side.start(), Owner::either};
    default:
      fail(CUDA_ERROR_INVALID_VALUE);
  }
}

// Texels are memory of the host, row by row: the side becomes that.
void in_array(interposer::BoxSide& side, const Extent& extent) {
  require(side.array != nullptr);
  driver().arrays.at(side.array, CUDA_ERROR_INVALID_HANDLE);
  const auto& arrays = context().device.textures().arrays;
  const auto found = arrays.find(reinterpret_cast<std::uint64_t>(side.array));
  require(found != arrays.end(), CUDA_ERROR_INVALID_HANDLE);
  const memory::ArrayShape& shape = found->second->shape();
  require(side.x + extent.width <= shape.row_bytes() && side.y + extent.height <= shape.rows() &&
          side.z + extent.depth <= shape.planes());
  side.type = CU_MEMORYTYPE_HOST;
  side.base = reinterpret_cast<std::uint64_t>(found->second->data());
  side.pitch = shape.row_bytes();
  side.height = shape.rows();
}

// Where the bytes of a box lie.
struct Sides {
  interposer::CopyBox box;
  Place from, to;
};

Sides sides_of(const interposer::CopyBox& given) {
  Sides sides{given, {}, {}};
  interposer::CopyBox& box = sides.box;
  const Extent& extent = box.extent;
  for (interposer::BoxSide* side : {&box.from, &box.to}) {
    if (side->type == CU_MEMORYTYPE_ARRAY) {
      in_array(*side, extent);
      continue;
    }
    if (side->pitch == 0) side->pitch = extent.width;  // as the driver takes it
    if (side->height == 0) side->height = extent.height;
    require(side->x + extent.width <= side->pitch || (extent.height == 1 && extent.depth == 1));
  }
  const auto span = [&](const interposer::BoxSide& side) {
    const auto bytes = interposer::span_of(extent, side.pitch, side.plane());
    if (!bytes) fail(CUDA_ERROR_INVALID_VALUE);
    return *bytes;
  };
  sides.from = place_of(line_of(box.from), span(box.from));
  sides.to = target_of(line_of(box.to), span(box.to));
  return sides;
}

bool is_empty(const Extent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

Place filled(std::uint64_t address, std::uint64_t pitch, unsigned element, std::uint64_t count,
             std::uint64_t rows) {
  require(address % element == 0 && (rows == 1 || pitch % element == 0));
  require(count <= ~std::uint64_t{0} / element);
  const auto span = interposer::span_of({count * element, rows, 1}, pitch, 0);
  if (!span) fail(CUDA_ERROR_INVALID_VALUE);
  return target_of({address, Owner::device}, *span);
}

}  // namespace

Line in_array(CUarray array, std::uint64_t offset, std::uint64_t bytes) {
  require(array != nullptr);
  driver().arrays.at(array, CUDA_ERROR_INVALID_HANDLE);
  const auto& arrays = context().device.textures().arrays;
  const auto found = arrays.find(reinterpret_cast<std::uint64_t>(array));
  require(found != arrays.end(), CUDA_ERROR_INVALID_HANDLE);
  // A line lies in the first row: measured.
  const std::uint64_t row = found->second->shape().row_bytes();
  require(offset <= row && bytes <= row - offset);
  return {reinterpret_cast<std::uint64_t>(found->second->data()) + offset, Owner::host};
}

void copy(Line to, Line from, std::uint64_t bytes) {
  show_printed(context());
  if (bytes == 0) return;
  move(target_of(to, bytes), 0, place_of(from, bytes), 0, bytes);
}

void copy(const interposer::CopyBox& given) {
  show_printed(context());
  if (is_empty(given.extent)) return;
  const auto [box, from, to] = sides_of(given);
  const Extent& extent = box.extent;
  for (std::uint64_t z = 0; z < extent.depth; ++z)
    for (std::uint64_t y = 0; y < extent.height; ++y)
      move(to, z * box.to.plane() + y * box.to.pitch, from, z * box.from.plane() + y * box.from.pitch,
           extent.width);
}

void check(const interposer::CopyBox& box) {
  require(!is_empty(box.extent));
  sides_of(box);
}

void check_fill(std::uint64_t address, std::uint64_t pitch, unsigned element, std::uint64_t count,
                std::uint64_t rows) {
  require(count != 0 && rows != 0);
  filled(address, pitch, element, count, rows);
}

void fill(std::uint64_t address, std::uint64_t pitch, std::uint32_t value, unsigned element,
          std::uint64_t count, std::uint64_t rows) {
  if (count == 0 || rows == 0) return;
  const Place to = filled(address, pitch, element, count, rows);
  std::vector<std::byte> chunk(std::min<std::uint64_t>(count * element, 128 * 1024));
  for (std::size_t i = 0; i < chunk.size(); ++i)
    chunk[i] = static_cast<std::byte>(value >> 8 * (i % element));
  for (std::uint64_t y = 0; y < rows; ++y)
    for (std::uint64_t done = 0; done < count * element; done += chunk.size())
      to.write(y * pitch + done, std::span(chunk).first(std::min(chunk.size(), count * element - done)));
}

}  // namespace wedjat::live
