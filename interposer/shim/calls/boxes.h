// Copies of two and three dimensions, all struct versions.
#pragma once

#include "interposer/shim/memory/copies.h"

namespace wedjat::interposer {

// The depth and heights that two-dimensional structs lack.
template <typename Copy>
std::size_t depth_of(const Copy& copy) {
  if constexpr (requires { copy.Depth; }) {
    return copy.Depth;
  } else {
    return 1;
  }
}

// The host side that is the source, empty if the source is no host memory.
template <typename Copy>
Box source_box(const Copy& copy) {
  const void* base = nullptr;
  if (copy.srcMemoryType == CU_MEMORYTYPE_HOST) {
    base = copy.srcHost;
  } else if (copy.srcMemoryType == CU_MEMORYTYPE_UNIFIED && is_host(copy.srcDevice)) {
    base = reinterpret_cast<const void*>(static_cast<std::uint64_t>(copy.srcDevice));
  }
  if (base == nullptr) return {};
  Box box{
      static_cast<const std::byte*>(base), copy.WidthInBytes, copy.Height, depth_of(copy), copy.srcPitch, 0};
  box.base += copy.srcXInBytes + copy.srcY * box.row_pitch;
  if constexpr (requires { copy.srcZ; }) {
    box.plane_pitch = box.row_pitch * copy.srcHeight;
    box.base += copy.srcZ * box.plane_pitch;
  }
  return box;
}

template <typename Copy>
Box target_box(const Copy& copy) {
  const void* base = nullptr;
  if (copy.dstMemoryType == CU_MEMORYTYPE_HOST) {
    base = copy.dstHost;
  } else if (copy.dstMemoryType == CU_MEMORYTYPE_UNIFIED && is_host(copy.dstDevice)) {
    base = reinterpret_cast<const void*>(static_cast<std::uint64_t>(copy.dstDevice));
  }
  if (base == nullptr) return {};
  Box box{
      static_cast<const std::byte*>(base), copy.WidthInBytes, copy.Height, depth_of(copy), copy.dstPitch, 0};
  box.base += copy.dstXInBytes + copy.dstY * box.row_pitch;
  if constexpr (requires { copy.dstZ; }) {
    box.plane_pitch = box.row_pitch * copy.dstHeight;
    box.base += copy.dstZ * box.plane_pitch;
  }
  return box;
}

template <typename Copy>
void copy_box_in(const Call& call, const Copy* copy) {
  copy_source(call, "host_in", copy ? source_box(*copy) : Box());
}

template <typename Copy>
void copied_box_out(const Call& call, const Copy* copy) {
  copy_target_now(call, "host_out", target_box(*copy));
}

template <typename Copy>
void copies_box_out(const Call& call, const Copy* copy) {
  copy_target_later(call, "host_out", target_box(*copy));
}

void box_batch_in(const Call& call, const CUDA_MEMCPY3D_BATCH_OP* operations, size_t count);
void box_batch_out(const Call& call, const CUDA_MEMCPY3D_BATCH_OP* operations, size_t count);

}  // namespace wedjat::interposer
