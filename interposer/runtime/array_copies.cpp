// Copies to and from arrays: rectangles of bytes, and lines that go on in the next row.
#include <algorithm>

#include "interposer/runtime/arrays.h"
#include "interposer/runtime/boxes.h"
#include "runtime_calls.h"

namespace wedjat::runtime {
namespace {

struct Memory {
  const void* address;
  size_t pitch;
};

struct Spot {
  cudaArray_const_t array;
  size_t x, y;  // bytes, rows
};

void set_source(CUDA_MEMCPY2D& copy, const Memory& memory) {
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(memory.address);
  copy.srcPitch = memory.pitch;
}
void set_source(CUDA_MEMCPY2D& copy, const Spot& spot) {
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = as_driver(spot.array);
  copy.srcXInBytes = spot.x;
  copy.srcY = spot.y;
}
void set_target(CUDA_MEMCPY2D& copy, const Memory& memory) {
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(memory.address);
  copy.dstPitch = memory.pitch;
}
void set_target(CUDA_MEMCPY2D& copy, const Spot& spot) {
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = as_driver(spot.array);
  copy.dstXInBytes = spot.x;
  copy.dstY = spot.y;
}

// Nothing to copy is no error. `stream` null: the host waits, which is when the copy is done anyway.
template <class To, class From>
cudaError_t rectangle(const To& to, const From& from, size_t width, size_t height, cudaMemcpyKind kind,
                      const cudaStream_t* stream) {
  check_direction(kind);
  if (width == 0 || height == 0) return cudaSuccess;
  CUDA_MEMCPY2D copy{};
  set_source(copy, from);
  set_target(copy, to);
  copy.WidthInBytes = width;
  copy.Height = height;
  return as_runtime(stream != nullptr ? cuMemcpy2DAsync_v2(&copy, *stream) : cuMemcpy2DUnaligned_v2(&copy));
}

size_t row_bytes(cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR description{};
  must(cuArray3DGetDescriptor_v2(&description, as_driver(array)));
  return description.Width * texel_bytes(array);
}

// The line's parts within one row each: `part(spot, where in the line, bytes)`.
template <class Part>
cudaError_t by_rows(Spot spot, size_t bytes, const Part& part) {
  const size_t row = row_bytes(spot.array);
  require(spot.x < row);
  for (size_t done = 0; done < bytes;) {
    const size_t now = std::min(bytes - done, row - spot.x);
    if (const cudaError_t error = part(spot, done, now); error != cudaSuccess) return error;
    done += now;
    spot.x = 0;
    ++spot.y;
  }
  return cudaSuccess;
}

cudaError_t line_in(const Spot& to, const void* from, size_t bytes, cudaMemcpyKind kind,
                    const cudaStream_t* stream) {
  return by_rows(to, bytes, [&](const Spot& spot, size_t done, size_t now) {
    return rectangle(spot, Memory{static_cast<const char*>(from) + done, now}, now, 1, kind, stream);
  });
}

cudaError_t line_out(void* to, const Spot& from, size_t bytes, cudaMemcpyKind kind,
                     const cudaStream_t* stream) {
  return by_rows(from, bytes, [&](const Spot& spot, size_t done, size_t now) {
    return rectangle(Memory{static_cast<char*>(to) + done, now}, spot, now, 1, kind, stream);
  });
}

}  // namespace

namespace calls {

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return rectangle(Spot{dst, x, y}, Memory{src, pitch}, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return rectangle(Spot{dst, x, y}, Memory{src, pitch}, width, height, kind, &stream);
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return rectangle(Memory{dst, pitch}, Spot{src, x, y}, width, height, kind, nullptr);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t pitch, cudaArray_const_t src, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return rectangle(Memory{dst, pitch}, Spot{src, x, y}, width, height, kind, &stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t to_x, size_t to_y, cudaArray_const_t src,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind) {
  return rectangle(Spot{dst, to_x, to_y}, Spot{src, from_x, from_y}, width, height, kind, nullptr);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                              cudaMemcpyKind kind) {
  return line_in({dst, x, y}, src, count, kind, nullptr);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void* src, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return line_in({dst, x, y}, src, count, kind, &stream);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return line_out(dst, {src, x, y}, count, kind, nullptr);
}

cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return line_out(dst, {src, x, y}, count, kind, &stream);
}

}  // namespace calls
}  // namespace wedjat::runtime
