// Reads of textures, as generated executors call them: `texture.read` and `texture.gather` of the
// semantics language (PTX ISA 5.3, 9.7.10).
#pragma once
#include <initializer_list>

#include "emulator/exec/access/context.h"
#include "emulator/exec/texture/geometry.h"

namespace wedjat::exec {

enum class Coordinates : std::uint8_t { integer, real };
enum class Component : std::uint8_t { r, g, b, a };

/// Each lane's texel of a texture, read as its sampler says (a handle that names none: as the texture says),
/// at its coordinates (x, y, z; layered and of cubes: the layer first), so many texels from
/// there, of `level` (nothing, the level, or both gradients one after the other): four channels of 32 bits,
/// the first lowest. Throws Fault if there is no such object or it has no exact semantics here.
void texture_read_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                        Coordinates coordinates, const std::uint64_t* handle, const std::uint64_t* sampler,
                        std::initializer_list<const std::uint32_t*> at,
                        std::initializer_list<const std::uint32_t*> offset,
                        std::initializer_list<const std::uint32_t*> level, unsigned __int128* texel);

/// One channel of the four texels around the coordinates, as tld4 orders them. Throws Fault likewise.
void texture_gather_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                          Component component, const std::uint64_t* handle, const std::uint64_t* sampler,
                          std::initializer_list<const std::uint32_t*> at,
                          std::initializer_list<const std::uint32_t*> offset, unsigned __int128* texels);

/// What txq says of the texture, or sampler, that `handle` names, and istypep of its kind. Throws Fault.
void texture_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer);

}  // namespace wedjat::exec
