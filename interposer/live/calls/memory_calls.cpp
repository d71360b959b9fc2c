// Memory: of the device, of the host, of both.
#include <algorithm>

#include "emulator/memory/capacity.h"
#include "interposer/live/state/driver.h"
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr std::size_t pitch_unit = 512;  // as an H200 rounds (recorded)

Allocation& holding(std::uint64_t address) {
  Allocation* const found = driver().memory.find(address);
  if (found == nullptr) fail(CUDA_ERROR_INVALID_VALUE);
  return *found;
}

Allocation& starting(std::uint64_t address, MemoryKind kind) {
  Allocation* const found = driver().memory.starting(address);
  if (found == nullptr || found->kind != kind || found->pool != nullptr) fail(CUDA_ERROR_INVALID_VALUE);
  return *found;
}

CUdeviceptr allocate(std::size_t size, MemoryKind kind, unsigned flags, const char* label) {
  require(size != 0);
  Allocation& made = driver().memory.allocate(context(), size, kind, label);
  made.flags = flags;
  return made.address;
}

// Of no bytes there is no memory, and that is no error.
void* pinned(std::size_t size, unsigned flags, const char* label) {
  if (size == 0) return nullptr;
  return reinterpret_cast<void*>(allocate(size, MemoryKind::pinned, flags, label));
}

}  // namespace

void cuMemGetInfo(std::size_t* free, std::size_t* total) {
  if (total != nullptr) *total = memory::capacity;
  if (free != nullptr) *free = Memory::most() - driver().memory.in_use();
}

void cuMemAlloc(CUdeviceptr* address, std::size_t size) {
  *address = allocate(size, MemoryKind::device, 0, "cuMemAlloc");
}

void cuMemAllocPitch(CUdeviceptr* address, std::size_t* pitch, std::size_t width, std::size_t height,
                     unsigned element) {
  require((element == 4 || element == 8 || element == 16) && width != 0 && height != 0);
  require(width <= static_cast<std::size_t>(profile().attributes.at(CU_DEVICE_ATTRIBUTE_MAX_PITCH)));
  const std::size_t row = (width + pitch_unit - 1) / pitch_unit * pitch_unit;
  require(height <= memory::capacity / row, CUDA_ERROR_OUT_OF_MEMORY);
  *address = allocate(row * height, MemoryKind::device, 0, "cuMemAllocPitch");
  *pitch = row;
}

void cuMemFree(CUdeviceptr address) {
  if (address == 0) return;
  Allocation* const found = driver().memory.starting(address);
  require(
      found != nullptr && found->openings == 0 && found->told != device::Told::of_module &&
      (found->kind == MemoryKind::device || found->kind == MemoryKind::managed || found->pool != nullptr));
  show_printed(context());
  if (found->of_graph) return driver().graph_memory.give(address);
  if (CUmemPoolHandle_st* const pool = driver().pools.find(found->pool)) pool->room.drop(address);
  driver().memory.free(*found);
}

void cuMemAllocHost(void** address, std::size_t size) { *address = pinned(size, 0, "cuMemAllocHost"); }

void cuMemHostAlloc(void** address, std::size_t size, unsigned flags) {
  require(flags <= 7);
  *address = pinned(size, flags, "cuMemHostAlloc");
}

void cuMemFreeHost(void* address) {
  if (address != nullptr) driver().memory.free(starting(number(address), MemoryKind::pinned));
}

void cuMemHostRegister(void* address, std::size_t size, unsigned flags) {
  require(address != nullptr && size != 0 && flags <= 15);
  const Allocation* const inside = driver().memory.find(number(address));
  require(inside == nullptr || inside->kind == MemoryKind::registered);
  require(inside == nullptr, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  driver().memory.add_registered(context(), address, size).flags = flags;
}

void cuMemHostUnregister(void* address) {
  require(address != nullptr);
  Allocation* const found = driver().memory.starting(number(address));
  if (found == nullptr) {
    const Allocation* const inside = driver().memory.find(number(address));
    require(inside == nullptr || inside->kind != MemoryKind::registered);
    fail(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  }
  require(found->kind == MemoryKind::registered);
  driver().memory.free(*found);
}

void cuMemHostGetDevicePointer(CUdeviceptr* address, void* host, unsigned flags) {
  const Allocation& memory = holding(number(host));
  require(flags == 0 && memory.pool == nullptr &&
          (memory.kind == MemoryKind::pinned || memory.kind == MemoryKind::registered));
  *address = number(host);
}

// CU_MEMHOSTALLOC_DEVICEMAP is told of all pinned memory: addresses are unified.
void cuMemHostGetFlags(unsigned* flags, void* host) {
  constexpr unsigned device_map = 2;
  const Allocation& memory = holding(number(host));
  require(memory.kind == MemoryKind::pinned || memory.kind == MemoryKind::registered);
  *flags = memory.flags | device_map;
}

void cuMemAllocManaged(CUdeviceptr* address, std::size_t size, unsigned flags) {
  *address = allocate(size, MemoryKind::managed, flags, "cuMemAllocManaged");
}

void cuMemGetAddressRange(CUdeviceptr* base, std::size_t* size, CUdeviceptr address) {
  const auto give = [&](CUdeviceptr where, std::size_t bytes) {
    if (base != nullptr) *base = where;
    if (size != nullptr) *size = bytes;
  };
  if (const auto* const mapped = mapped_at(address)) return give(mapped->first, mapped->second.size);
  const Allocation* const memory = driver().memory.find(address);
  if (memory == nullptr || memory->hidden) fail(CUDA_ERROR_NOT_FOUND);
  give(memory->address, memory->size);
}

void cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, std::size_t size, unsigned flags) {
  require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE);
  require(stream_of(stream) != nullptr || flags != CU_MEM_ATTACH_SINGLE);
  const Allocation& memory = holding(address);
  require(memory.kind == MemoryKind::managed && (size == 0 || size == memory.size));
}

}  // namespace wedjat::live::calls
