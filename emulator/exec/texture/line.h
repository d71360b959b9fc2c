// Lines of device memory whose texels an integer names: memory, but that a read beyond its ends finds
// nothing. Planes whose texels two real numbers name, without a filter: memory, where what lies outside is
// the nearest texel.
#pragma once
#include <cstddef>
#include <cstdint>

#include "emulator/exec/access/context.h"
#include "emulator/memory/device_memory.h"

namespace wedjat::exec {

struct TexelLine {
  memory::Extent extent;          ///< of the texels; of no size: `line_of` knows nothing
  std::uint32_t texel_bytes = 0;  ///< texels lie one behind the other
  bool words = false;             ///< a read gives the bytes as they are, then zeros
  bool small = false;             ///< a read gives an integer of 8 bits, widened, then zeros
  bool is_signed = false;         ///< that
  bool noted = false;             ///< each read is to be told: note_range()
};

/// The line that a handle names, for a step that has no other address. Nothing, if it names something else,
/// if its texels do not lie in one allocation, or if a tool wants to be told of each texel.
TexelLine line_of(WarpContext& warp, const kernel::Step& step, std::uint64_t handle);

/// What native code finds by itself where a handle names a line and nobody
/// wants to be told of reads: texels that are words of so many bytes together,
/// or integers of 8 bits where one word is asked for.
struct WordLine {
  memory::Extent words;  ///< of no size: texels are something else
  const std::byte* bytes = nullptr;
  std::uint64_t count = 0;      ///< of `bytes`; 0: texels are something else
  std::uint64_t is_signed = 0;  ///< those
};
void find_words(WarpContext& warp, const kernel::Step& step, std::uint64_t handle, std::uint32_t texel_bytes,
                WordLine& line);

/// The texels of all lanes of the mask if they read the same line: texture_read_lanes(). The lanes that are
/// left.
std::uint32_t fetch_line(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                         const std::uint64_t* handles, const std::uint64_t* samplers,
                         const std::uint32_t* places, unsigned __int128* texel);

struct TexelPlane {
  const std::byte* host = nullptr;  ///< of the first texel; null: `find_plane` knows nothing
  std::uint64_t row_bytes = 0, texel_bytes = 0;
  std::uint64_t last_column = 0, last_row = 0;
};
/// All offsets of texels are below this.
inline constexpr std::uint64_t most_plane_bytes = std::uint64_t{1} << 31;

/// The plane that a handle names, if its texels are at least `channels` words
/// of 32 bits, coordinates count texels, and nobody wants to be told of reads.
void find_plane(WarpContext& warp, const kernel::Step& step, std::uint64_t handle, std::uint32_t channels,
                TexelPlane& plane);

}  // namespace wedjat::exec
