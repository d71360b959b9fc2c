#include "interposer/meaning/boxes.h"

namespace wedjat::interposer {
namespace {

std::uint64_t address(CUmemorytype type, const void* host, CUdeviceptr device) {
  return type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(host) : device;
}

}  // namespace

std::optional<std::uint64_t> span_of(const Extent& extent, std::uint64_t pitch, std::uint64_t plane) {
  constexpr std::uint64_t most = std::uint64_t{1} << 47;  // bytes of an address space
  const auto [width, height, depth] = extent;
  if (width == 0 || height == 0 || depth == 0 || width > most) return std::nullopt;
  std::uint64_t span = width;
  if (height > 1) {
    if (pitch < width || pitch > most / height) return std::nullopt;
    span += (height - 1) * pitch;
  }
  if (depth > 1) {
    if (plane < span || plane > most / depth) return std::nullopt;
    span += (depth - 1) * plane;
  }
  return span;
}

CopyBox box_of(const CUDA_MEMCPY2D& copy) {
  return {{copy.srcMemoryType, address(copy.srcMemoryType, copy.srcHost, copy.srcDevice), copy.srcArray,
           copy.srcXInBytes, copy.srcY, 0, copy.srcPitch, 0},
          {copy.dstMemoryType, address(copy.dstMemoryType, copy.dstHost, copy.dstDevice), copy.dstArray,
           copy.dstXInBytes, copy.dstY, 0, copy.dstPitch, 0},
          {copy.WidthInBytes, copy.Height, 1}};
}

CopyBox box_of(const CUDA_MEMCPY3D& copy) {
  return {{copy.srcMemoryType, address(copy.srcMemoryType, copy.srcHost, copy.srcDevice), copy.srcArray,
           copy.srcXInBytes, copy.srcY, copy.srcZ, copy.srcPitch, copy.srcHeight},
          {copy.dstMemoryType, address(copy.dstMemoryType, copy.dstHost, copy.dstDevice), copy.dstArray,
           copy.dstXInBytes, copy.dstY, copy.dstZ, copy.dstPitch, copy.dstHeight},
          {copy.WidthInBytes, copy.Height, copy.Depth}};
}

}  // namespace wedjat::interposer
