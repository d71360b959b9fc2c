/* Memory that is mapped, and who may access it: what each call answers, and what copies then do. */
#include "tell.h"

static CUdeviceptr at;
static size_t unit;
static CUmemGenericAllocationHandle handle, whole;
static CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
static unsigned word;
static unsigned long long flags;

static CUresult set(CUdeviceptr from, size_t size, CUmemAccess_flags how) {
  const CUmemAccessDesc access = {here, how};
  return cuMemSetAccess(from, size, &access, 1);
}
static CUresult may(CUdeviceptr of) {
  flags = 99;
  const CUresult code = cuMemGetAccess(&flags, &here, of);
  printf("flags %llu\n", flags);
  return code;
}

int main(void) {
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
  CUcontext context;
  CUdeviceptr plain;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, NULL, 0, 0) != CUDA_SUCCESS) return 1;
  cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  T(cuMemAddressReserve(&at, 8 * unit, 0, 0, 0));
  T(cuMemCreate(&handle, unit, &properties, 0));
  T(cuMemCreate(&whole, 2 * unit, &properties, 0));
  T(may(at));
  T(set(at, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(cuMemMap(at, unit, 0, handle, 0));
  T(may(at));
  T(cuMemcpyHtoD(at, &word, 4));
  T(cuMemsetD8(at, 1, 4));
  T(set(at, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(may(at));
  T(set(at, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(may(at));
  T(cuMemcpyHtoD(at, &word, 4));
  T(set(at, unit, CU_MEM_ACCESS_FLAGS_PROT_NONE));
  T(may(at));
  T(cuMemcpyHtoD(at, &word, 4));
  T(set(at, unit, CU_MEM_ACCESS_FLAGS_PROT_READ));
  T(may(at));
  T(cuMemcpyDtoH(&word, at, 4));
  T(set(at, unit, (CUmemAccess_flags)9));
  T(set(at, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(cuMemcpyHtoD(at, &word, 4));
  T(cuMemMap(at + 2 * unit, 2 * unit, 0, whole, 0));
  T(set(at + 2 * unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(may(at + 2 * unit));
  T(may(at + 3 * unit));
  T(cuMemcpyHtoD(at + 2 * unit, &word, 4));
  T(cuMemcpyHtoD(at + 3 * unit, &word, 4));
  T(set(at + 3 * unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(set(at + 2 * unit, 2 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(cuMemcpyHtoD(at + 3 * unit, &word, 4));
  T(set(at + 2 * unit, 100, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(set(at + 2 * unit + 100, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(set(at + 2 * unit, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(cuMemMap(at + 4 * unit, unit, unit, whole, 0));
  T(set(at, 5 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(set(at + 2 * unit, 3 * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  T(cuMemcpyHtoD(at + 4 * unit - 2, &word, 4));
  T(cuMemUnmap(at + 2 * unit, unit));
  T(cuMemUnmap(at + 3 * unit, unit));
  T(cuMemUnmap(at + 2 * unit, 3 * unit));
  T(may(at + 2 * unit));
  T(cuMemcpyHtoD(at + 2 * unit, &word, 4));
  T(cuMemUnmap(at + 2 * unit, 2 * unit));
  T(cuMemUnmap(at, unit));
  T(cuMemMap(at, unit, 0, handle, 0));
  T(may(at));
  T(cuMemcpyHtoD(at, &word, 4));
  T(cuMemAlloc(&plain, 4096));
  T(may(plain));
  T(may(0x1000));
  T(set(plain, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
  return 0;
}
