// Memory of pools, in the order of streams. What is freed is free at once; a pool counts what it gave.
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {

void cuMemAllocFromPoolAsync(CUdeviceptr* address, std::size_t size, CUmemoryPool handle, CUstream stream) {
  CUmemPoolHandle_st& pool = pool_at(handle);
  const CUstream_st* const where = stream_of(stream);
  require(!pool.imported);
  if (size == 0) {
    *address = 0;
    return;
  }
  require(pool.most_bytes == 0 || pool.room.reserved_with(size) <= PoolRoom::whole_units(pool.most_bytes),
          CUDA_ERROR_OUT_OF_MEMORY);
  Allocation& made = driver().memory.allocate(context(), size, pool.kind, "cuMemAllocAsync");
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
  if (pool.is_hidden()) driver().memory.hide(handle, true);
}

void cuMemAllocAsync(CUdeviceptr* address, std::size_t size, CUstream stream) {
  CUmemoryPool pool = nullptr;
  cuDeviceGetMemPool(&pool, 0);
  cuMemAllocFromPoolAsync(address, size, pool, stream);
}

void cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  const CUstream_st* const where = stream_of(stream);
  if (address == 0) return;
  Allocation* const memory = driver().memory.starting(address);
  if (memory == nullptr || (memory->kind != MemoryKind::device && memory->pool == nullptr))
    fail(CUDA_ERROR_INVALID_VALUE);
  if (where != nullptr && where->capture) return void(give(stream, Freeing{address}));
  if (memory->of_graph) return driver().graph_memory.give(address);
  if (CUmemPoolHandle_st* const pool = driver().pools.find(memory->pool); pool && !pool->imported)
    pool->room.give(address);
  driver().memory.free(*memory);
}

}  // namespace wedjat::live::calls
