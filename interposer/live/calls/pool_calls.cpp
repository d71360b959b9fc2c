// Memory pools: what there is of them, and who may access what they give.
#include <cstring>

#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

using PlaceOfPools = std::pair<MemoryKind, CUmemLocationType>;
constexpr PlaceOfPools usual{MemoryKind::device, CU_MEM_LOCATION_TYPE_DEVICE};

// What pools of that kind give, where they may lie so: measured on an H100.
PlaceOfPools place_of(CUmemAllocationType type, const CUmemLocation& location) {
  const bool managed = type == CU_MEM_ALLOCATION_TYPE_MANAGED;
  require(managed || type == CU_MEM_ALLOCATION_TYPE_PINNED);
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_INVALID:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      require(managed);
      break;
    case CU_MEM_LOCATION_TYPE_DEVICE:
      require(location.id == 0);
      return {managed ? MemoryKind::managed : MemoryKind::device, location.type};
    case CU_MEM_LOCATION_TYPE_HOST:
      break;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      require(location.id == 0);
      break;
    default:
      fail(CUDA_ERROR_INVALID_VALUE);
  }
  return {managed ? MemoryKind::managed : MemoryKind::pinned, location.type};
}
// Of those that a program need not make.
PlaceOfPools place_of_default(CUmemAllocationType type, const CUmemLocation& location) {
  require(location.type != CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, CUDA_ERROR_NOT_SUPPORTED);
  return place_of(type, location);
}

CUmemoryPool make_pool(const PlaceOfPools& place) {
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->kind = place.first;
  made->place = place.second;
  if (made->kind != MemoryKind::device) made->access.clear();
  if (made->kind == MemoryKind::pinned)
    for (const CUmemLocationType host : {CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA})
      made->access[host] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return driver().pools.add(std::move(made));
}

CUmemoryPool default_pool(const PlaceOfPools& place = usual) {
  CUmemoryPool& pool = driver().pools_of[place].first;
  if (pool == nullptr) pool = make_pool(place);
  return pool;
}

CUmemoryPool current_pool(const PlaceOfPools& place = usual) {
  const CUmemoryPool current = driver().pools_of[place].current;
  return current != nullptr ? current : default_pool(place);
}

void make_current(const PlaceOfPools& place, CUmemoryPool handle) {
  const CUmemPoolHandle_st& pool = pool_at(handle);
  require(pool.kind == place.first && pool.place == place.second);
  driver().pools_of[place].current = handle;
}

void check(CUdevice device) { require(device == 0, CUDA_ERROR_INVALID_DEVICE); }
void check(const CUmemLocation& location) {
  const bool host =
      location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
  require(host || (location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0));
}

// Whether memory of the pool may be given to, or taken from, whoever is there.
void check_access(const CUmemPoolHandle_st& pool, const CUmemAccessDesc& access) {
  const bool of_device = access.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  require(access.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE || access.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE,
          CUDA_ERROR_NOT_SUPPORTED);
  const bool takes = access.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE;
  if (pool.kind == MemoryKind::device) {
    require(of_device, CUDA_ERROR_NOT_SUPPORTED);
    require(!takes, CUDA_ERROR_INVALID_DEVICE);  // it is its own
  }
  if (pool.kind == MemoryKind::pinned) require(of_device || !takes, CUDA_ERROR_NOT_SUPPORTED);
}

// Of its room, which programs may set to nothing but 0.
std::uint64_t counted(const PoolRoom& room, CUmemPool_attribute attribute) {
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      return room.reserved();
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      return room.most_reserved();
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      return room.used();
    default:
      return room.most_used();
  }
}

bool is_number_of_int(CUmemPool_attribute attribute) {
  return attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

}  // namespace

void cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  const PlaceOfPools place = place_of(properties->allocType, properties->location);
  const bool is_shared = properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE;
  require(place.first != MemoryKind::managed || (!is_shared && properties->maxSize == 0));
  require(place.second != CU_MEM_LOCATION_TYPE_HOST || !is_shared);
  require((properties->handleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0,
          CUDA_ERROR_NOT_SUPPORTED);
  *pool = make_pool(place);
  pool_at(*pool).may_be_shared = is_shared;
  pool_at(*pool).most_bytes = properties->maxSize;
}

void cuMemPoolDestroy(CUmemoryPool handle) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  auto& [first, current] = driver().pools_of[{pool.kind, pool.place}];
  require(handle != first);
  if (current == handle) current = nullptr;
  driver().pools.drop(&pool);
}

void cuMemPoolTrimTo(CUmemoryPool pool, std::size_t bytes) { pool_at(pool).room.trim(bytes); }

void cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  const CUmemPoolHandle_st& pool = pool_at(handle);
  require(value != nullptr && attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
          attribute <= CU_MEMPOOL_ATTR_USED_MEM_HIGH);
  const auto set = pool.attributes.find(static_cast<int>(attribute));
  const bool is_count = attribute >= CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
  const cuuint64_t number = is_count                       ? counted(pool.room, attribute)
                            : set != pool.attributes.end() ? set->second
                                                           : is_number_of_int(attribute);
  const int flag = static_cast<int>(number);
  if (is_number_of_int(attribute))
    std::memcpy(value, &flag, sizeof flag);
  else
    std::memcpy(value, &number, sizeof number);
}

void cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  require(value != nullptr);
  cuuint64_t number = 0;
  std::memcpy(&number, value, is_number_of_int(attribute) ? sizeof(int) : sizeof number);
  if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH) {
    require(number == 0);
    return attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? pool.room.forget_most_used()
                                                      : pool.room.forget_most_reserved();
  }
  require(attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
          attribute <= CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
  pool.attributes[static_cast<int>(attribute)] = number;
}

void cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* access, std::size_t count) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  require(count == 0 || access != nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    check(access[i].location);
    check_access(pool, access[i]);
    pool.access[access[i].location.type] = access[i].flags;
    driver().memory.hide(handle, pool.is_hidden());
  }
}

void cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool handle, CUmemLocation* location) {
  const CUmemPoolHandle_st& pool = pool_at(handle);
  check(*location);
  const auto known = pool.access.find(location->type);
  *flags = known == pool.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : known->second;
}

void cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  check(device);
  *pool = default_pool();
}

void cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  *pool = default_pool(place_of_default(type, *location));
}

void cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  *pool = current_pool(place_of_default(type, *location));
}

void cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  make_current(place_of_default(type, *location), pool);
}

void cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  require(device == 0);
  *pool = current_pool();
}

void cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  check(device);
  make_current(usual, pool);
}

}  // namespace wedjat::live::calls
