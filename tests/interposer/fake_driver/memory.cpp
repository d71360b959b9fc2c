#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
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
  ptrdiff_t view;  // from where the host sees it to where the device does
};
std::mutex& mutex = *new std::mutex;
std::map<CUdeviceptr, Allocation>& allocations = *new std::map<CUdeviceptr, Allocation>;

// Memory that host and device see at different addresses, so that nothing the device does is a page fault of
// the host's.
struct Chunk {
  explicit Chunk(size_t bytes) : size(bytes) {
    const int file = memfd_create("pinned", MFD_CLOEXEC);
    if (ftruncate(file, static_cast<off_t>(size)) != 0) std::abort();
    const auto map = [&] {
      return static_cast<char*>(
          mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0));
    };
    host = map();
    device = map();
    close(file);
  }
  size_t size, used = 0;
  char *host, *device;
};

// As the real driver deals out: small ones from chunks, at multiples of 512 bytes.
char* allocate_pinned(size_t size, ptrdiff_t& view) {
  constexpr size_t chunk = 2 << 20, small = 1 << 20, step = 512;
  static Chunk* open = nullptr;
  Chunk* from = open;
  if (size > small)
    from = new Chunk((size + chunk - 1) / chunk * chunk);
  else if (open == nullptr || open->used + size > chunk)
    from = open = new Chunk(chunk);
  char* const host = from->host + from->used;
  from->used += (size + step - 1) / step * step;
  view = from->device - from->host;
  return host;
}

CUdeviceptr allocate(size_t size, Sort sort) {
  void* memory = nullptr;
  ptrdiff_t view = 0;
  const std::lock_guard lock(mutex);
  if (sort == Sort::pinned) {
    memory = allocate_pinned(size, view);
  } else {
    // Managed memory begins a page.
    if (posix_memalign(&memory, sort == Sort::device ? 256 : 4096, size) != 0) return 0;
    std::memset(memory, 0, size);
  }
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  allocations[address] = {size, sort, view};
  return address;
}

CUresult release(CUdeviceptr address) {
  const std::lock_guard lock(mutex);
  if (address == 0) return CUDA_SUCCESS;
  const auto found = allocations.find(address);
  if (found == allocations.end()) return CUDA_ERROR_INVALID_VALUE;
  if (found->second.sort != Sort::pinned) std::free(reinterpret_cast<void*>(address));
  allocations.erase(found);
  return CUDA_SUCCESS;
}

const Allocation* find(CUdeviceptr address) {
  auto above = allocations.upper_bound(address);
  if (above == allocations.begin()) return nullptr;
  const auto& [begin, allocation] = *std::prev(above);
  return address < begin + allocation.size ? &allocation : nullptr;
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
void* by_device(CUdeviceptr address) { return fake::device_view(pointer(address)); }

}  // namespace

void* fake::device_view(const void* memory) {
  const std::lock_guard lock(mutex);
  const Allocation* allocation = find(reinterpret_cast<CUdeviceptr>(memory));
  return static_cast<char*>(const_cast<void*>(memory)) + (allocation == nullptr ? 0 : allocation->view);
}

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
  return fake::run_stream(nullptr), std::memcpy(by_device(to), fake::device_view(from), size), CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size) {
  return fake::run_stream(nullptr), std::memcpy(fake::device_view(to), by_device(from), size), CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size, CUstream stream) {
  if (fake::memory_type(reinterpret_cast<CUdeviceptr>(from)) != 0) {
    fake::enqueue(stream, [=] { std::memcpy(by_device(to), fake::device_view(from), size); });
    return CUDA_SUCCESS;
  }
  // Pageable memory is staged at the call.
  std::vector<char> staged(static_cast<const char*>(from), static_cast<const char*>(from) + size);
  fake::enqueue(stream, [=, staged = std::move(staged)] { std::memcpy(by_device(to), staged.data(), size); });
  return CUDA_SUCCESS;
}
FAKE CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream stream) {
  fake::enqueue(stream, [=] { std::memcpy(fake::device_view(to), by_device(from), size); });
  if (fake::memory_type(reinterpret_cast<CUdeviceptr>(to)) == 0) fake::run_stream(stream);
  return CUDA_SUCCESS;
}
FAKE CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  fake::run_stream(nullptr);
  const auto side = [](CUmemorytype type, const void* host, CUdeviceptr device) {
    return static_cast<const char*>(type == CU_MEMORYTYPE_HOST ? host : by_device(device));
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
  return std::memset(by_device(to), value, size), CUDA_SUCCESS;
}
