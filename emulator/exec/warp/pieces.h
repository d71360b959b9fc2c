// What an instruction accesses where no operand is the address of it: rows of the box of a tensor map, tiles
// of matrix descriptors and of strides, texels. Told to what watches execution.
#pragma once
#include <vector>

#include "emulator/exec/access/context.h"
#include "emulator/kernel/forms/form.h"

namespace wedjat::exec {

struct Piece {
  std::uint64_t address;
  std::uint32_t bytes;
  std::uint32_t part;  ///< of a copy: bytes written in a part are those read in it, in their order
  std::uint8_t lane;   ///< that accesses it; 0 if the warp does so together
  kernel::Space space;
  bool reads, writes, updates;
};
using Pieces = std::vector<Piece>;

/// Where the running instruction tells its pieces; null: nobody wants to know.
Pieces* pieces_wanted(const WarpContext& warp);

/// Of a part of its own. Pieces that touch or overlap become one.
void tell_tile(const WarpContext& warp, kernel::Space space, const std::uint64_t* address,
               std::uint32_t count, std::uint32_t bytes, bool writes);

inline std::uint32_t next_part(const Pieces& pieces) { return pieces.empty() ? 0 : pieces.back().part + 1; }

}  // namespace wedjat::exec
