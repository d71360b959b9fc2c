#include "emulator/exec/tensor/tensor_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "emulator/exec/access/fault.h"
#include "emulator/exec/tensor/tensor_walk.h"
#include "emulator/exec/warp/pieces.h"

namespace wedjat::exec {

using kernel::Space;

namespace {

// The part of a row that lies in the tensor: elements [first, last).
struct Span {
  std::int64_t first, last;
};

// Of a row that begins at element `begin` of one that has `elements`.
Span inside_of(const TensorMap& map, std::int64_t begin, std::uint64_t elements) {
  const std::int64_t count = map.row_elements(), size = static_cast<std::int64_t>(elements);
  const std::int64_t first = std::clamp<std::int64_t>(-begin, 0, count);
  return {first, std::clamp<std::int64_t>(size - begin, first, count)};
}

// Where the rows of a box begin: which element of dimension 0, or the first one of each slice.
std::int64_t row_begin(const TensorMap& map, const TensorPlace& place) {
  return map.interleave == 0 ? place.at[0] : 0;
}

TensorMap map_of(WarpContext& warp, const kernel::Step& step, int lane, std::uint64_t address,
                 TensorMode mode) {
  const auto refuse = [&](const std::string& why) {
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("tensor map at {:#x}: {}", address, why));
  };
  if (address % 64 != 0) refuse("its address is no multiple of 64");
  TensorMap map;
  const std::byte* const encoded =
      reach_lane(warp, step, Space::Generic, lane, address, TensorMap::bytes, Use::read);
  if (const char* why = decode(encoded, map)) refuse(why);
  if (map.im2col != (mode == TensorMode::im2col))
    refuse(map.im2col ? "it is one for im2col" : "it is none for im2col");
  return map;
}

TensorPlace place_of(const TensorMap& map, const TensorCoordinates& coordinates, int lane) {
  TensorPlace place;
  for (unsigned d = 0; d < map.rank; ++d)
    if (coordinates.at[d] != nullptr) place.at[d] = static_cast<std::int32_t>(coordinates.at[d][lane]);
  for (unsigned d = 0; d < 3; ++d)
    if (coordinates.offset[d] != nullptr)
      place.offset[d] = static_cast<std::int32_t>(coordinates.offset[d][lane]);
  return place;
}

unsigned dimensions(const TensorCoordinates& coordinates) {
  unsigned count = 0;
  while (count < 5 && coordinates.at[count] != nullptr) ++count;
  return count;
}

// A lane's box in shared memory.
class Box {
 public:
  Box(WarpContext& warp, const kernel::Step& step, Space space, int lane, std::uint64_t address,
      const TensorMap& map)
      : map_(map), address_(address) {
    if (address % 128 != 0)
      fail(warp, step.id, 1u << lane, FaultKind::misaligned,
           fmt::format("a box in shared memory at {:#x}, which is no multiple of 128", address));
    const std::uint64_t line = map.swizzle == 0 ? 16 : 128;
    const std::uint64_t bytes = std::uint64_t{map.rows()} * map.pitch();
    host_ = reach_lane(warp, step, space, lane, address, (bytes + line - 1) / line * line, Use::write);
  }
  void write(std::uint32_t row, const std::byte* from) const {
    each_piece(row, [&](std::byte* at, std::uint64_t offset, std::uint64_t bytes) {
      std::memcpy(at, from + offset, bytes);
    });
  }
  void read(std::uint32_t row, std::byte* to) const {
    each_piece(row, [&](const std::byte* at, std::uint64_t offset, std::uint64_t bytes) {
      std::memcpy(to + offset, at, bytes);
    });
  }
  /// Bytes [first, last) of a row; `like` says all but where they lie.
  void report(std::uint32_t row, std::uint64_t first, std::uint64_t last, Piece like, Pieces& to) const {
    each_piece(row, [&](const std::byte* at, std::uint64_t offset, std::uint64_t bytes) {
      const std::uint64_t begin = std::max(first, offset), end = std::min(last, offset + bytes);
      if (begin >= end) return;
      like.address = address_ + static_cast<std::uint64_t>(at - host_) + (begin - offset);
      like.bytes = static_cast<std::uint32_t>(end - begin);
      to.push_back(like);
    });
  }

 private:
  template <class Action>
  void each_piece(std::uint32_t row, const Action& action) const {
    const std::uint64_t bytes = map_.row_bytes(), begin = address_ + std::uint64_t{row} * map_.pitch();
    if (map_.swizzle == 0) return action(host_ + (begin - address_), 0, bytes);
    for (std::uint64_t offset = 0; offset < bytes; offset += 16)
      action(host_ + (swizzled(begin + offset, map_.swizzle) - address_), offset,
             std::min<std::uint64_t>(16, bytes - offset));
  }

  const TensorMap& map_;
  std::uint64_t address_;
  std::byte* host_;
};

enum class Does : std::uint8_t { read, write, update };

Piece piece(std::uint64_t address, std::uint64_t bytes, std::uint32_t part, int lane, Space space,
            Does what) {
  return {address,
          static_cast<std::uint32_t>(bytes),
          part,
          static_cast<std::uint8_t>(lane),
          space,
          what == Does::read,
          what == Does::write,
          what == Does::update};
}

// The elements of a map of type tf32: to nearest, what lies in the middle away from zero; any NaN is one.
void round_to_tf32(std::byte* row, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, row + 4 * i, 4);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
      bits = 0x7fffe000u;
    else if ((bits & 0x7f800000u) != 0x7f800000u)
      bits = (bits + 0x1000u) & 0xffffe000u;
    std::memcpy(row + 4 * i, &bits, 4);
  }
}

void fill_elements(std::byte* to, std::uint64_t count, const TensorMap& map) {
  const std::uint64_t value = map.fill();
  if (value == 0) {
    std::memset(to, 0, count * map.element_bytes());
    return;
  }
  for (std::uint64_t i = 0; i < count; ++i)
    std::memcpy(to + i * map.element_bytes(), &value, map.element_bytes());
}

// Where a box may not begin, though the manual does not say so: an H200 ends with an illegal instruction.
std::string misplaced(const TensorMap& map, const TensorPlace& place, bool stores) {
  for (unsigned d = 0; d < map.rank; ++d) {
    if (stores && place.at[d] < 0)
      return fmt::format("coordinate {} is {}: nothing is stored from below 0 on", d, place.at[d]);
  }
  for (unsigned k = 0; map.im2col && k + 2 < map.rank; ++k) {
    const unsigned d = map.walked(k);
    const std::int64_t lower = map.lower[k], upper = map.upper[k];
    if (stores && (lower < 0 || upper > 0))
      return fmt::format("the corners of dimension {} are {} and {}: nothing is stored outside", d, lower,
                         upper);
    if (place.at[d] < lower || place.at[d] >= static_cast<std::int64_t>(map.size[d]) + upper)
      return fmt::format("coordinate {} is {}, which is not between the corners", d, place.at[d]);
  }
  return {};
}

TensorPlace check_coordinates(WarpContext& warp, const kernel::Step& step, int lane, const TensorMap& map,
                              const TensorCoordinates& coordinates, bool stores) {
  if (dimensions(coordinates) != map.rank)
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("{} coordinates for a tensor map of rank {}", dimensions(coordinates), map.rank));
  const auto first = static_cast<std::int32_t>(coordinates.at[0][lane]);
  if (map.interleave == 0 && std::int64_t{first} * map.element_bytes() % 16 != 0)
    fail(warp, step.id, 1u << lane, FaultKind::undefined,
         fmt::format("coordinate 0 is {}: a box begins at a multiple of 16 bytes", first));
  const TensorPlace place = place_of(map, coordinates, lane);
  if (const std::string why = misplaced(map, place, stores); !why.empty())
    fail(warp, step.id, 1u << lane, FaultKind::undefined, why);
  return place;
}

}  // namespace

void TensorCopy::load(std::uint32_t mask, const std::uint64_t* address, const std::uint64_t* maps,
                      const TensorCoordinates& coordinates, std::uint32_t* arrived) const {
  std::vector<std::byte> row;
  Pieces* const wanted = pieces_wanted(warp);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const TensorMap map = map_of(warp, step, lane, maps[lane], mode);
    const TensorPlace place = check_coordinates(warp, step, lane, map, coordinates, false);
    const Box box(warp, step, space, lane, address[lane], map);
    const std::int64_t origin = row_begin(map, place);
    const Span span = inside_of(map, origin, map.row_size());
    const unsigned bytes = map.element_bytes();
    row.resize(map.row_bytes());
    each_row(map, place, [&](std::uint32_t number, bool inside, std::uint64_t begin) {
      const Span here = inside ? span : Span{0, 0};
      const auto count = static_cast<std::uint64_t>(here.last - here.first);
      const std::uint64_t from = begin + static_cast<std::uint64_t>(origin + here.first) * bytes;
      fill_elements(row.data(), static_cast<std::uint64_t>(here.first), map);
      if (count != 0) {
        std::memcpy(row.data() + here.first * bytes,
                    reach_lane(warp, step, Space::Global, lane, from, count * bytes, Use::read),
                    count * bytes);
        if (map.tf32) round_to_tf32(row.data() + here.first * bytes, count);
      }
      fill_elements(row.data() + here.last * bytes,
                    map.row_elements() - static_cast<std::uint64_t>(here.last), map);
      box.write(number, row.data());
      if (wanted == nullptr) return;
      const std::uint32_t part = next_part(*wanted);
      const std::uint64_t first = static_cast<std::uint64_t>(here.first) * bytes,
                          last = first + count * bytes;
      const auto written = [&](std::uint32_t in) { return piece(0, 0, in, lane, space, Does::write); };
      if (count != 0) wanted->push_back(piece(from, count * bytes, part, lane, Space::Global, Does::read));
      box.report(number, first, last, written(part), *wanted);
      box.report(number, 0, first, written(part + 1), *wanted);
      box.report(number, last, map.row_bytes(), written(part + 1), *wanted);
    });
    if (arrived != nullptr) arrived[lane] = map.rows() * map.row_bytes();
  }
}

void TensorCopy::store(std::uint32_t mask, const std::uint64_t* maps, const std::uint64_t* address,
                       const TensorCoordinates& coordinates, Combine combine, void* change,
                       unsigned element) const {
  std::vector<std::byte> row;
  Pieces* const wanted = pieces_wanted(warp);
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const TensorMap map = map_of(warp, step, lane, maps[lane], mode);
    const TensorPlace place = check_coordinates(warp, step, lane, map, coordinates, true);
    const Box box(warp, step, space, lane, address[lane], map);
    const unsigned bytes = map.element_bytes();
    // Rows are stored in pieces of 16 bytes, the last one whole even where it leaves the tensor (measured:
    // H200).
    const std::uint64_t stored = (map.row_size() * bytes + 15) / 16 * 16 / bytes;
    const std::int64_t origin = row_begin(map, place);
    const Span span = inside_of(map, origin, stored);
    const auto beyond =
        std::max<std::int64_t>(origin + span.last - static_cast<std::int64_t>(map.row_size()), 0);
    if (combine != nullptr && element != bytes)
      fail(warp, step.id, 1u << lane, FaultKind::undefined, "the tensor map's type has no such reduction");
    row.resize(map.row_bytes());
    each_row(map, place, [&](std::uint32_t number, bool inside, std::uint64_t begin) {
      auto count = static_cast<std::uint64_t>(span.last - span.first);
      if (!inside || count == 0) return;
      box.read(number, row.data());
      const std::uint64_t to = begin + static_cast<std::uint64_t>(origin + span.first) * bytes;
      // What lies behind the allocation nobody sees.
      if (beyond > 0 && !warp.memory->device->find(to + count * bytes - 1))
        count -= static_cast<std::uint64_t>(beyond);
      std::byte* const target = reach_lane(warp, step, Space::Global, lane, to, count * bytes,
                                           combine == nullptr ? Use::write : Use::update);
      const std::byte* const source = row.data() + span.first * bytes;
      if (combine == nullptr)
        std::memcpy(target, source, count * bytes);
      else
        combine(change, target, source, count, warp.memory->concurrent);
      if (wanted == nullptr) return;
      const std::uint32_t part = next_part(*wanted);
      const auto first = static_cast<std::uint64_t>(span.first) * bytes;
      box.report(number, first, first + count * bytes, piece(0, 0, part, lane, space, Does::read), *wanted);
      wanted->push_back(piece(to, count * bytes, part, lane, Space::Global,
                              combine == nullptr ? Does::write : Does::update));
    });
  }
}

void tensor_type_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                       const std::uint64_t* maps, std::uint32_t* type) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    TensorMap map;
    const std::byte* const encoded =
        reach_lane(warp, step, Space::Generic, lane, maps[lane], TensorMap::bytes, Use::read);
    if (const char* why = decode(encoded, map))
      fail(warp, step.id, 1u << lane, FaultKind::undefined,
           fmt::format("tensor map at {:#x}: {}", maps[lane], why));
    type[lane] = static_cast<std::uint32_t>(map.type);
  }
}

}  // namespace wedjat::exec
