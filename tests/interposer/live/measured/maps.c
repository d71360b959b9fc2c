/* Memory is mapped whole, where nothing is mapped; pools have a largest size. */
#include "tell.h"

int main(void) {
  const size_t unit = (size_t)2 << 20;
  CUcontext context;
  CUdeviceptr at, small, large;
  CUmemGenericAllocationHandle first, second;
  CUmemAllocationProp properties = {0};
  CUmemAccessDesc access = {{.type = CU_MEM_LOCATION_TYPE_DEVICE}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemPoolProps limited = {0};
  CUmemoryPool pool;
  cuuint64_t bytes;
  size_t size;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  limited.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  limited.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  limited.maxSize = (size_t)4 << 20;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuMemAddressReserve(&at, 8 * unit, 0, 0, 0));
  T(cuMemCreate(&first, 2 * unit, &properties, 0));
  T(cuMemCreate(&second, 2 * unit, &properties, 0));
  T(cuMemMap(at, 2 * unit, 0, first, 0));
  T(cuMemMap(at, 2 * unit, 0, second, 0));
  T(cuMemMap(at + unit, 2 * unit, 0, second, 0));
  T(cuMemMap(at + 2 * unit, 2 * unit, 0, second, 0));
  T(cuMemMap(at + 4 * unit, unit, unit, first, 0));
  T(cuMemMap(at + 4 * unit, unit, 0, first, 0));
  T(cuMemMap(at + 4 * unit, unit, 4096, first, 0));
  T(cuMemMap(at + 4 * unit, unit + 1, 0, first, 0));
  T(cuMemMap(at + 5 * unit, 2 * unit, 0, first, 0));
  T(cuMemSetAccess(at, 4 * unit, &access, 1));
  T(cuMemSetAccess(at + unit, unit, &access, 1));
  T(cuMemSetAccess(at + 5 * unit, 2 * unit, &access, 1));
  T(cuMemsetD8(at, 7, 4 * unit));
  T(cuMemGetAddressRange(&small, &size, at + unit));
  printf("\t%llu %zu\n", (unsigned long long)((small - at) / unit), size / unit);
  T(cuMemGetAddressRange(&small, &size, at + 3 * unit));
  printf("\t%llu %zu\n", (unsigned long long)((small - at) / unit), size / unit);
  T(cuMemGetAddressRange(&small, &size, at + 7 * unit));
  T(cuMemUnmap(at, unit));
  T(cuMemUnmap(at + unit, 2 * unit));
  T(cuMemUnmap(at, 4 * unit));
  T(cuMemPoolCreate(&pool, &limited));
  T(cuMemAllocFromPoolAsync(&small, 3 << 20, pool, NULL));
  T(cuMemAllocFromPoolAsync(&large, 40 << 20, pool, NULL));
  T(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &bytes));
  printf("\t%llu\n", (unsigned long long)bytes);
  return 0;
}
