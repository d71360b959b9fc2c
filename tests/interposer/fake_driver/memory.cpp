#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/interposer/fake_driver/fake.h"

namespace {

enum class Sort { device, pinned, managed };
struct Allocation {
  size_t size;
  Sort sort;
};
std::mutex& mutex = *new std::mutex;
std::map<CUdeviceptr, Allocation>& allocations = *new std::map<CUdeviceptr, Allocation>;

CUdeviceptr allocate(size_t size, Sort sort) {
  void* memory = nullptr;
  // The driver's own memory of the host begins a page.
  if (posix_memalign(&memory, sort == Sort::device ? 256 : 4096, size) != 0) return 0;
  std::memset(memory, 0, size);
  const std::lock_guard lock(mutex);
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  allocations[address] = {size, sort};
  return address;
}

CUresult release(CUdeviceptr address) {
  const std::lock_guard lock(mutex);
  if (address == 0) return CUDA_SUCCESS;
  if (allocations.erase(address) == 0) return CUDA_ERROR_INVALID_VALUE;
  std::free(reinterpret_cast<void*>(address));
  return CUDA_SUCCESS;
}

const Allocation* find(CUdeviceptr address) {
  auto above = allocations.upper_bound(address);
  if (above == allocations.begin()) return nullptr;
  const auto& [begin, allocation] = *std::prev(above);
  return address < begin + allocation.size ? &allocation : nullptr;
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

unsigned fake::memory_type(CUdeviceptr address) {
  const std::lock_guard lock(mutex);
  const Allocation* allocation = find(address);
  return allocation == nullptr ? 0 : allocation->sort == Sort::pinned ? 1 : 2;
}
bool fake::is_managed(CUdeviceptr address) {
  const std::lock_guard lock(mutex);
  const Allocation* allocation = find(address);
  return allocation && allocation->sort == Sort::managed;
}

FAKE CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t size) {
  return *address = allocate(size, Sort::device), CUDA_SUCCESS;
}
FAKE CUresult cuMemFree_v2(CUdeviceptr address) { return fake::run_everything(), release(address); }
FAKE CUresult cuMemAllocAsync(CUdeviceptr* address, size_t size, CUstream) {
  return *address = allocate(size, Sort::device), CUDA_SUCCESS;
}
FAKE CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return fake::enqueue(stream, [=] { release(address); }), CUDA_SUCCESS;
}
FAKE CUresult cuMemHostAlloc(void** address, size_t size, unsigned) {
  return *address = pointer(allocate(size, Sort::pinned)), CUDA_SUCCESS;
}
FAKE CUresult cuMemFreeHost(void* address) { return release(reinterpret_cast<CUdeviceptr>(address)); }
FAKE CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned) {
  return *device = reinterpret_cast<CUdeviceptr>(host), CUDA_SUCCESS;
}
FAKE CUresult cuMemAllocManaged(CUdeviceptr* address, size_t size, unsigned) {
  return *address = allocate(size, Sort::managed), CUDA_SUCCESS;
}
FAKE CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* size, CUlibrary, const char*) {
  constexpr size_t bytes = 4096;
  static const CUdeviceptr variable = allocate(bytes, Sort::managed);
  if (address) *address = variable;
  if (size) *size = bytes;
  return CUDA_SUCCESS;
}
FAKE CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  const unsigned type = fake::memory_type(address);
  if (type == 0) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
    return *static_cast<unsigned*>(data) = type, CUDA_SUCCESS;
  if (attribute != CU_POINTER_ATTRIBUTE_IS_MANAGED) return CUDA_ERROR_NOT_SUPPORTED;
  return *static_cast<unsigned*>(data) = fake::is_managed(address), CUDA_SUCCESS;
}

FAKE CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t size) {
  return fake::run_stream(nullptr), std::memcpy(pointer(to), from, size), CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size) {
  return fake::run_stream(nullptr), std::memcpy(to, pointer(from), size), CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  if (fake::memory_type(reinterpret_cast<CUdeviceptr>(from)) != 0) {
    fake::enqueue(stream, [=] { std::memcpy(pointer(to), from, size); });
    return CUDA_SUCCESS;
  }
  // Pageable memory is staged at the call.
  std::vector<char> staged(static_cast<const char*>(from), static_cast<const char*>(from) + size);
  fake::enqueue(stream, [=, staged = std::move(staged)] { std::memcpy(pointer(to), staged.data(), size); });
  return CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  fake::enqueue(stream, [=] { std::memcpy(to, pointer(from), size); });
  if (fake::memory_type(reinterpret_cast<CUdeviceptr>(to)) == 0) fake::run_stream(stream);
  return CUDA_SUCCESS;
}
FAKE CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  fake::run_stream(nullptr);
  const auto side = [](CUmemorytype type, const void* host, CUdeviceptr device) {
    return static_cast<const char*>(type == CU_MEMORYTYPE_HOST ? host : pointer(device));
  };
  const char* from = side(copy->srcMemoryType, copy->srcHost, copy->srcDevice) + copy->srcY * copy->srcPitch +
                     copy->srcXInBytes;
  const char* to = side(copy->dstMemoryType, copy->dstHost, copy->dstDevice) + copy->dstY * copy->dstPitch +
                   copy->dstXInBytes;
  for (size_t y = 0; y < copy->Height; ++y) {
    std::memcpy(const_cast<char*>(to) + y * copy->dstPitch, from + y * copy->srcPitch, copy->WidthInBytes);
  }
  return CUDA_SUCCESS;
}
FAKE CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t size) {
  return std::memset(pointer(to), value, size), CUDA_SUCCESS;
}
