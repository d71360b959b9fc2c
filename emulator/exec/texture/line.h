// Lines of device memory whose texels an integer names: memory, but that a read beyond its ends finds
// nothing.
#pragma once
#include <cstdint>

#include "emulator/exec/access/context.h"
#include "emulator/memory/device_memory.h"

namespace wedjat::exec {

struct TexelLine {
  memory::Extent extent;          ///< of the texels; of no size: `line_of` knows nothing
  std::uint32_t texel_bytes = 0;  ///< texels lie one behind the other
  bool words = false;             ///< a read gives the bytes as they are, then zeros
  bool noted = false;             ///< each read is to be told: note_range()
};

/// The line that a handle names, for a step that has no other address. Nothing, if it names something else,
/// if its texels do not lie in one allocation, or if a tool wants to be told of each texel.
TexelLine line_of(WarpContext& warp, const kernel::Step& step, std::uint64_t handle);

/// The same in `line`, but nothing unless texels are words of so many bytes together, and nobody wants to be
/// told of reads.
void find_words(WarpContext& warp, const kernel::Step& step, std::uint64_t handle, std::uint32_t texel_bytes,
                TexelLine& line);

/// The texels of all lanes of the mask if they read the same line: texture_read_lanes(). The lanes that are
/// left.
std::uint32_t fetch_line(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                         const std::uint64_t* handles, const std::uint64_t* samplers,
                         const std::uint32_t* places, unsigned __int128* texel);

}  // namespace wedjat::exec
