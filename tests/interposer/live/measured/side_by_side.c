/* Two reservations side by side: what is mapped, shown and unmapped over both, and what is not. */
#include "tell.h"

int main(void) {
  const size_t unit = (size_t)2 << 20;
  CUcontext context;
  CUdeviceptr whole, first, second;
  CUmemGenericAllocationHandle two, one, other;
  CUmemAllocationProp properties = {0};
  CUmemAccessDesc access = {{.type = CU_MEM_LOCATION_TYPE_DEVICE}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  T(cuMemAddressReserve(&whole, 8 * unit, 0, 0, 0));
  T(cuMemAddressFree(whole, 8 * unit));
  T(cuMemAddressReserve(&first, unit, 0, whole, 0));
  T(cuMemAddressReserve(&second, unit, 0, first + unit, 0));
  printf("\t%d\n", second == first + unit);
  T(cuMemCreate(&two, 2 * unit, &properties, 0));
  T(cuMemCreate(&one, unit, &properties, 0));
  T(cuMemCreate(&other, unit, &properties, 0));
  T(cuMemMap(first, 2 * unit, 0, two, 0));
  T(cuMemSetAccess(first, 2 * unit, &access, 1));
  T(cuMemsetD8(first, 3, 2 * unit));
  T(cuMemUnmap(first, 2 * unit));
  T(cuMemMap(first, unit, 0, one, 0));
  T(cuMemMap(second, unit, 0, other, 0));
  T(cuMemSetAccess(first, 2 * unit, &access, 1));
  T(cuMemsetD8(first, 3, 2 * unit));
  T(cuMemUnmap(first, 2 * unit));
  T(cuMemUnmap(first, unit));
  T(cuMemAddressFree(first, 2 * unit));
  T(cuMemAddressFree(second, unit));
  T(cuMemAddressFree(first, unit));
  return 0;
}
