// Variables of the program on the device.
#include "interposer/runtime/registration.h"
#include "runtime_calls.h"

namespace wedjat::runtime::calls {
namespace {

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

void to_device(cudaMemcpyKind kind) {
  require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection);
}

void from_device(cudaMemcpyKind kind) {
  require(kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
          cudaErrorInvalidMemcpyDirection);
}

}  // namespace

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  to_device(kind);
  return as_runtime(cuMemcpy(inside(symbol, count, offset), address(src), count));
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  to_device(kind);
  return as_runtime(cuMemcpyAsync(inside(symbol, count, offset), address(src), count, stream));
}

cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  from_device(kind);
  return as_runtime(cuMemcpy(address(dst), inside(symbol, count, offset), count));
}

cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  from_device(kind);
  return as_runtime(cuMemcpyAsync(address(dst), inside(symbol, count, offset), count, stream));
}

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  require(devPtr != nullptr);
  *devPtr = reinterpret_cast<void*>(symbol_of(symbol).address);
  must_be_unharmed();
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  require(size != nullptr);
  *size = symbol_of(symbol).bytes;
  must_be_unharmed();
  return cudaSuccess;
}

}  // namespace wedjat::runtime::calls
