// Copies and fills: the calls.
#include "interposer/live/calls/copies.h"
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

}  // namespace

void cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) { copy({to}, {from}, bytes); }

void cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  stream_of(stream);
  cuMemcpy(to, from, bytes);
}

void cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  copy({to, Owner::device}, {number(from), Owner::host}, bytes);
}

void cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  stream_of(stream);
  cuMemcpyHtoD(to, from, bytes);
}

void cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  copy({number(to), Owner::host}, {from, Owner::device}, bytes);
}

void cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  stream_of(stream);
  cuMemcpyDtoH(to, from, bytes);
}

void cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  copy({to, Owner::device}, {from, Owner::device}, bytes);
}

void cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  stream_of(stream);
  cuMemcpyDtoD(to, from, bytes);
}

void cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                  std::size_t bytes) {
  for (const CUcontext named : {to_context, from_context})
    if (named != nullptr) driver().contexts.at(named, CUDA_ERROR_INVALID_CONTEXT);
  cuMemcpyDtoD(to, from, bytes);
}

void cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                       std::size_t bytes, CUstream stream) {
  stream_of(stream);
  cuMemcpyPeer(to, to_context, from, from_context, bytes);
}

void cuMemcpy2D(const CUDA_MEMCPY2D* box) { copy(interposer::box_of(*box)); }
void cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* box) { cuMemcpy2D(box); }
void cuMemcpy3D(const CUDA_MEMCPY3D* box) { copy(interposer::box_of(*box)); }

void cuMemcpy2DAsync(const CUDA_MEMCPY2D* box, CUstream stream) {
  stream_of(stream);
  cuMemcpy2D(box);
}

void cuMemcpy3DAsync(const CUDA_MEMCPY3D* box, CUstream stream) {
  stream_of(stream);
  cuMemcpy3D(box);
}

void cuMemsetD8(CUdeviceptr at, unsigned char value, std::size_t count) { fill(at, 0, value, 1, count, 1); }

void cuMemsetD2D8(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width,
                  std::size_t height) {
  fill(at, pitch, value, 1, width, height);
}

void cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t count, CUstream stream) {
  stream_of(stream);
  cuMemsetD8(at, value, count);
}

void cuMemsetD2D8Async(CUdeviceptr at, std::size_t pitch, unsigned char value, std::size_t width,
                       std::size_t height, CUstream stream) {
  stream_of(stream);
  cuMemsetD2D8(at, pitch, value, width, height);
}

void cuMemsetD16(CUdeviceptr at, unsigned short value, std::size_t count) { fill(at, 0, value, 2, count, 1); }

void cuMemsetD2D16(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width,
                   std::size_t height) {
  fill(at, pitch, value, 2, width, height);
}

void cuMemsetD16Async(CUdeviceptr at, unsigned short value, std::size_t count, CUstream stream) {
  stream_of(stream);
  cuMemsetD16(at, value, count);
}

void cuMemsetD2D16Async(CUdeviceptr at, std::size_t pitch, unsigned short value, std::size_t width,
                        std::size_t height, CUstream stream) {
  stream_of(stream);
  cuMemsetD2D16(at, pitch, value, width, height);
}

void cuMemsetD32(CUdeviceptr at, unsigned value, std::size_t count) { fill(at, 0, value, 4, count, 1); }

void cuMemsetD2D32(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  fill(at, pitch, value, 4, width, height);
}

void cuMemsetD32Async(CUdeviceptr at, unsigned value, std::size_t count, CUstream stream) {
  stream_of(stream);
  cuMemsetD32(at, value, count);
}

void cuMemsetD2D32Async(CUdeviceptr at, std::size_t pitch, unsigned value, std::size_t width,
                        std::size_t height, CUstream stream) {
  stream_of(stream);
  cuMemsetD2D32(at, pitch, value, width, height);
}

}  // namespace wedjat::live::calls
