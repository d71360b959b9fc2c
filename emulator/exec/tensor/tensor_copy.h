// Copies between a box of a tensor and shared memory, as generated executors call them: `tensor.load`,
// `tensor.store`, `tensor.reduce` and `tensor.type` of the semantics language (PTX ISA 5.5, 9.7.9.27). They
// are done when they are issued.
#pragma once
#include "emulator/exec/access/transfer.h"

namespace wedjat::exec {

enum class TensorMode : std::uint8_t { tile, im2col };

/// Rows of 32 lanes, null behind the last.
struct TensorCoordinates {
  const std::uint32_t* at[5];      ///< where the box begins, dimension 0 first
  const std::uint32_t* offset[3];  ///< im2col: of the pixels that are read
};

/// What to do with `count` elements in global memory and as many in a row of the box.
using Combine = void (*)(void* change, std::byte* target, const std::byte* source, std::uint64_t count,
                         bool atomically);

/// One tensor copy: which step, which memory holds the box.
struct TensorCopy {
  WarpContext& warp;
  const kernel::Step& step;
  kernel::Space space;
  TensorMode mode;

  /// The bytes that arrive, by lane, go to `arrived`; it may be null.
  void load(std::uint32_t mask, const std::uint64_t* address, const std::uint64_t* map,
            const TensorCoordinates& coordinates, std::uint32_t* arrived) const;
  /// Elements out of bounds stay where they are. `combine` null: they are copied; else it works on elements
  /// of `bytes`, and the map's elements must have as many.
  void store(std::uint32_t mask, const std::uint64_t* map, const std::uint64_t* address,
             const TensorCoordinates& coordinates, Combine combine, void* change, unsigned bytes) const;
};

template <kernel::Space to, TensorMode mode>
void tensor_load_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                       const std::uint64_t* address, const std::uint64_t* map,
                       const TensorCoordinates& coordinates, std::uint32_t* arrived = nullptr) {
  TensorCopy{warp, step, to, mode}.load(mask, address, map, coordinates, arrived);
}

template <kernel::Space from, TensorMode mode>
void tensor_store_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                        const std::uint64_t* map, const std::uint64_t* address,
                        const TensorCoordinates& coordinates) {
  TensorCopy{warp, step, from, mode}.store(mask, map, address, coordinates, nullptr, nullptr, 0);
}

template <class T, kernel::Space from, TensorMode mode, class Change>
void tensor_reduce_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                         const std::uint64_t* map, const std::uint64_t* address,
                         const TensorCoordinates& coordinates, Change change) {
  const Combine combine = [](void* how, std::byte* target, const std::byte* source, std::uint64_t count,
                             bool atomically) {
    reduce_elements<T>(target, source, count, atomically, *static_cast<Change*>(how));
  };
  TensorCopy{warp, step, from, mode}.store(mask, map, address, coordinates, combine, &change, sizeof(T));
}

/// The element types of the maps, as TensorType numbers them.
void tensor_type_lanes(WarpContext& warp, const kernel::Step& step, std::uint32_t mask,
                       const std::uint64_t* map, std::uint32_t* type);

}  // namespace wedjat::exec
