// Memory pools. What is freed is free at once; a pool counts what it gave.
#include <cstring>

#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUmemoryPool default_pool() {
  Driver& state = driver();
  if (state.default_pool == nullptr)
    state.default_pool = state.pools.add(std::make_unique<CUmemPoolHandle_st>());
  return state.default_pool;
}

CUmemoryPool current_pool() {
  Driver& state = driver();
  return state.current_pool != nullptr ? state.current_pool : default_pool();
}

void check(CUdevice device) { require(device == 0, CUDA_ERROR_INVALID_DEVICE); }
void check(const CUmemLocation& location) {
  require(location.type == CU_MEM_LOCATION_TYPE_DEVICE && location.id == 0);
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
  require(properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED);
  require((properties->handleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0,
          CUDA_ERROR_NOT_SUPPORTED);
  check(properties->location);
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->may_be_shared = properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE;
  *pool = driver().pools.add(std::move(made));
}

void cuMemPoolDestroy(CUmemoryPool handle) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  require(handle != driver().default_pool);
  if (driver().current_pool == handle) driver().current_pool = nullptr;
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

void cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, std::size_t count) {
  pool_at(pool);
  require(count == 0 || access != nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    check(access[i].location);
    require(access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
}

void cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  pool_at(pool);
  check(*location);
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

void cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  check(device);
  *pool = default_pool();
}

void cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  require(type == CU_MEM_ALLOCATION_TYPE_PINNED);
  check(*location);
  *pool = default_pool();
}

void cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  require(type == CU_MEM_ALLOCATION_TYPE_PINNED);
  check(*location);
  *pool = current_pool();
}

void cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  require(type == CU_MEM_ALLOCATION_TYPE_PINNED);
  check(*location);
  driver().current_pool = &pool_at(pool);
}

void cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  require(device == 0);
  *pool = current_pool();
}

void cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  check(device);
  driver().current_pool = &pool_at(pool);
}

void cuMemAllocFromPoolAsync(CUdeviceptr* address, std::size_t size, CUmemoryPool handle, CUstream stream) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  const CUstream_st* const where = stream_of(stream);
  require(!pool.imported);
  if (size == 0) {
    *address = 0;
    return;
  }
  Allocation& made = driver().memory.allocate(context(), size, MemoryKind::device, "cuMemAllocAsync");
  *address = made.address;
  if (where != nullptr && where->capture) {  // memory of the graph from now on
    made.of_graph = true;
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.bytesize = size;
    parameters.dptr = made.address;
    give(stream, Allocating{parameters});
    return;
  }
  made.pool = handle;
  pool.room.take(made.address, size);
}

void cuMemAllocAsync(CUdeviceptr* address, std::size_t size, CUstream stream) {
  cuMemAllocFromPoolAsync(address, size, current_pool(), stream);
}

void cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const CUstream_st* const where = stream_of(stream);
  if (address == 0) return;
  Allocation* const memory = driver().memory.starting(address);
  if (memory == nullptr || memory->kind != MemoryKind::device) fail(CUDA_ERROR_INVALID_VALUE);
  if (where != nullptr && where->capture) return void(give(stream, Freeing{address}));
  if (memory->of_graph) return driver().graph_memory.give(address);
  if (CUmemPoolHandle_st* const pool = driver().pools.find(memory->pool); pool && !pool->imported)
    pool->room.give(address);
  driver().memory.free(*memory);
}

}  // namespace wedjat::live::calls
