// Virtual memory management: addresses, memory, and which lies where. Memory may lie at several addresses.
#include <algorithm>
#include <cstring>
#include <optional>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

constexpr std::size_t granularity = std::size_t{2} << 20;

// Handles of memory are numbers.
PhysicalMemory& memory_at(CUmemGenericAllocationHandle handle) {
  const auto found = driver().physical.find(handle);
  require(found != driver().physical.end());
  return found->second;
}

void drop_if_unused(CUmemGenericAllocationHandle handle) {
  const PhysicalMemory& memory = memory_at(handle);
  if (memory.references == 0 && memory.mappings == 0) driver().physical.erase(handle);
}

void check(const CUmemAllocationProp& properties) {
  require(properties.type == CU_MEM_ALLOCATION_TYPE_PINNED &&
          properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
  require(properties.location.id == 0, CUDA_ERROR_INVALID_DEVICE);
  require((properties.requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0,
          CUDA_ERROR_NOT_SUPPORTED);
}

CUmemGenericAllocationHandle add(PhysicalMemory memory) {
  const CUmemGenericAllocationHandle handle = driver().next_physical++;
  driver().physical.try_emplace(handle, std::move(memory));
  return handle;
}

// Memory that nobody may access is there for no copy and no kernel.
void set_access(CUdeviceptr address, Mapping& mapping, CUmemAccess_flags access) {
  const bool was_there = mapping.access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  const bool is_there = access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  mapping.access = access;
  if (driver().failed != CUDA_SUCCESS) return;
  driver().contexts.each([&](CUctx_st& context) {
    if (was_there && !is_there)
      context.device.free(address);
    else if (was_there)
      context.device.set_read_only(address, access == CU_MEM_ACCESS_FLAGS_PROT_READ);
    else
      show_mapping(context, address, mapping);
  });
}

// The one that holds the address; null: none.
const Mapping* mapping_at(CUdeviceptr address) {
  const auto* const found = mapped_at(address);
  return found == nullptr ? nullptr : &found->second;
}

// By one reservation, or by several side by side.
bool is_reserved(std::uint64_t address, std::uint64_t size) {
  const auto& reserved = driver().reserved;
  auto next = reserved.upper_bound(address);
  if (next == reserved.begin()) return false;
  --next;
  std::uint64_t end = next->first + next->second;
  if (address >= end) return false;
  while (end - address < size) {
    if (++next == reserved.end() || next->first != end) return false;
    end += next->second;
  }
  return true;
}

}  // namespace

void cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp* properties,
                                   CUmemAllocationGranularity_flags which) {
  require(which == CU_MEM_ALLOC_GRANULARITY_MINIMUM || which == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
  check(*properties);
  *bytes = granularity;
}

void cuMemAddressReserve(CUdeviceptr* address, std::size_t size, std::size_t alignment, CUdeviceptr wanted,
                         unsigned long long flags) {
  require(flags == 0 && size != 0 && size % granularity == 0 && (alignment & (alignment - 1)) == 0);
  AddressSpace& space = driver().memory.device_addresses();
  const bool aligned = wanted != 0 && wanted % granularity == 0;
  // A driver takes any address that the process has free, also outside of what it takes by itself.
  const bool outside = !space.contains(wanted) && !space.contains(wanted + size - 1);
  const bool there =
      aligned && (outside ? AddressSpace::keep(wanted, size) : space.free().take_at(wanted, size));
  const auto taken = there ? std::optional<std::uint64_t>(wanted)
                           : space.free().take(size, std::max(alignment, granularity));
  require(taken.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  *address = *taken;
  driver().reserved[*address] = size;
}

void cuMemAddressFree(CUdeviceptr address, std::size_t size) {
  const auto found = driver().reserved.find(address);
  require(found != driver().reserved.end() && found->second == size);
  const auto mapped = driver().mappings.lower_bound(address);
  require(mapped == driver().mappings.end() || mapped->first >= address + size);
  require(mapping_at(address) == nullptr);  // that began in the reservation before
  AddressSpace& space = driver().memory.device_addresses();
  if (space.contains(address))
    space.free().give_back(address, size);
  else
    AddressSpace::drop(address, size);
  driver().reserved.erase(found);
}

void cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t size,
                 const CUmemAllocationProp* properties, unsigned long long flags) {
  check(*properties);
  require(flags == 0 && size != 0 && size % granularity == 0);
  require(size <= profile().free_memory, CUDA_ERROR_OUT_OF_MEMORY);
  if (properties->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE) {
    *handle = add({size, *properties});
    return;
  }
  auto pages = SharedPages::make(size);
  require(pages != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *handle = add({std::move(pages), *properties});
}

void cuMemExportToShareableHandle(void* descriptor, CUmemGenericAllocationHandle handle,
                                  CUmemAllocationHandleType type, unsigned long long flags) {
  const PhysicalMemory& memory = memory_at(handle);
  require(descriptor != nullptr && flags == 0 && type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
          memory.properties.requestedHandleTypes == type);
  const int made = memory.shared->descriptor();
  require(made >= 0, CUDA_ERROR_OUT_OF_MEMORY);
  std::memcpy(descriptor, &made, sizeof made);
}

void cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* descriptor,
                                    CUmemAllocationHandleType type) {
  require(handle != nullptr);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  *handle = add({pages_of(descriptor, type), properties});
}

void cuMemRelease(CUmemGenericAllocationHandle handle) {
  PhysicalMemory& memory = memory_at(handle);
  require(memory.references != 0);
  --memory.references;
  drop_if_unused(handle);
}

void cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  const Mapping* const mapping = mapping_at(number(address));
  if (mapping == nullptr) fail(CUDA_ERROR_INVALID_VALUE);
  ++memory_at(mapping->handle).references;
  *handle = mapping->handle;
}

void cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                            CUmemGenericAllocationHandle handle) {
  *properties = memory_at(handle).properties;
}

void cuMemMap(CUdeviceptr address, std::size_t size, std::size_t offset, CUmemGenericAllocationHandle handle,
              unsigned long long flags) {
  PhysicalMemory& memory = memory_at(handle);
  require(flags == 0 && size != 0);
  require(offset == 0 && size == memory.size, CUDA_ERROR_NOT_SUPPORTED);  // of memory that is no array
  require(is_reserved(address, size) && mapping_at(address) == nullptr);
  const auto next = driver().mappings.lower_bound(address);
  require(next == driver().mappings.end() || next->first >= address + size);
  driver().mappings[address] = {size, handle, memory.data()};
  ++memory.mappings;
}

// What is mapped there goes, if anything is; none may reach out of the range.
void cuMemUnmap(CUdeviceptr address, std::size_t size) {
  auto& mappings = driver().mappings;
  require(size != 0 && is_reserved(address, size));
  for (const CUdeviceptr end : {address, address + size})
    require(mapping_at(end) == nullptr || mappings.contains(end));
  for (auto next = mappings.lower_bound(address); next != mappings.end() && next->first < address + size;) {
    set_access(next->first, next->second, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    const CUmemGenericAllocationHandle handle = next->second.handle;
    --memory_at(handle).mappings;
    drop_if_unused(handle);
    next = mappings.erase(next);
  }
}

// Of a range that is mapped from end to end.
void cuMemSetAccess(CUdeviceptr address, std::size_t size, const CUmemAccessDesc* access, std::size_t count) {
  require(size != 0 && count != 0 && access != nullptr);
  for (std::size_t i = 0; i < count; ++i)
    require(access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && access[i].location.id == 0 &&
            (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
             access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
             access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  auto& mappings = driver().mappings;
  const auto first = mappings.find(address);
  CUdeviceptr end = address;
  auto behind = first;
  while (behind != mappings.end() && behind->first == end && end - address < size)
    end += behind++->second.size;
  require(end - address == size);
  for (auto mapping = first; mapping != behind; ++mapping)
    set_access(mapping->first, mapping->second, access[count - 1].flags);
}

void cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  require(location->type == CU_MEM_LOCATION_TYPE_DEVICE && location->id == 0);
  *flags = 0;  // also of memory that is not mapped so
  const Mapping* const mapping = mapping_at(address);
  require(mapping != nullptr || driver().memory.find(address) != nullptr);
  if (mapping != nullptr) *flags = mapping->access;
}

}  // namespace wedjat::live::calls
