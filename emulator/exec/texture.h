// Reads of textures, as generated executors call them: `texture.read` of the semantics language (PTX
// ISA 5.3, 9.7.10).
#pragma once
#include <initializer_list>

#include "emulator/exec/context.h"
#include "emulator/exec/geometry.h"

namespace wedjat::exec {

enum class Coordinates : std::uint8_t { integer, real };

/// Each lane's texel at its coordinates (x, y, z; layered: the layer first) and so many texels from there, in
/// the object that `handle` names: four channels of 32 bits, the first lowest. Throws Fault if there is no
/// such object or it has no semantics here.
void texture_read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                        Coordinates coordinates, const std::uint64_t* handle,
                        std::initializer_list<const std::uint32_t*> at,
                        std::initializer_list<const std::uint32_t*> offset, unsigned __int128* texel);

/// What txq says of the texture that `handle` names. Throws Fault.
void texture_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer);

}  // namespace wedjat::exec
