// Places of texels in surfaces, as generated executors ask for them: `surface.…` of the semantics language
// (PTX ISA 9.7.11). What lies there is read and written like global memory.
#pragma once
#include <initializer_list>

#include "emulator/exec/access/context.h"
#include "emulator/exec/access/use.h"
#include "emulator/exec/texture/geometry.h"

namespace wedjat::exec {

/// What becomes of coordinates outside the surface: the kernel fails, the nearest texel, nothing is touched.
enum class Outside : std::uint8_t { trap, clamp, zero };

/// Each lane's address of the texel at its coordinates (x, y, z; layered: the layer first) in the surface
/// that `handle` names; 0 outside in mode zero. Throws Fault for a handle without surface and outside in mode
/// trap.
void surface_texel_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                         Outside mode, Use use, const std::uint64_t* handle,
                         std::initializer_list<const std::uint32_t*> at, std::uint64_t* address);
/// The same with x in bytes, of an access of so many.
void surface_bytes_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Geometry geometry,
                         Outside mode, Use use, const std::uint64_t* handle,
                         std::initializer_list<const std::uint32_t*> at, unsigned bytes,
                         std::uint64_t* address);

/// What suq says of the surface that `handle` names. Throws Fault.
void surface_query_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask, Query query,
                         const std::uint64_t* handle, std::uint32_t* answer);

}  // namespace wedjat::exec
