/* Pools of memory by what they give and where: what can be made, what its memory is, who may access it. */
#include <string.h>

#include "tell.h"

static CUdevice device;

static void about(const char* what, CUpointer_attribute which, CUdeviceptr memory) {
  unsigned long long value = 0xeeeeeeee00000000ull;
  const CUresult code = cuPointerGetAttribute(&value, which, memory);
  if (which == CU_POINTER_ATTRIBUTE_CONTEXT || which == CU_POINTER_ATTRIBUTE_HOST_POINTER ||
      which == CU_POINTER_ATTRIBUTE_DEVICE_POINTER || which == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR)
    value = value == memory ? 2 : value != 0; /* addresses are not the same everywhere */
  if (which == CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE) value = value != 0;
  printf("%s %llx\t%s\n", N(code), value, what);
}
#define ABOUT(which) about(#which, CU_POINTER_ATTRIBUTE_##which, memory)

static void number(const char* what, CUmemPool_attribute which, CUmemoryPool pool) {
  unsigned long long value = 0;
  const CUresult code = cuMemPoolGetAttribute(pool, which, &value);
  printf("%s %llu\t%s\n", N(code), value, what);
}
#define NUMBER(which) number(#which, CU_MEMPOOL_ATTR_##which, pool)

static void access_of(CUmemoryPool pool, CUmemLocationType type, int id) {
  CUmemLocation place = {.type = type, .id = id};
  CUmemAccess_flags flags = (CUmemAccess_flags)99;
  const CUresult code = cuMemPoolGetAccess(&flags, pool, &place);
  printf("%s %d\taccess of %d %d\n", N(code), (int)flags, (int)type, id);
}
static void set_access(CUmemoryPool pool, CUmemLocationType type, int id, CUmemAccess_flags flags) {
  const CUmemAccessDesc access = {{.type = type, .id = id}, flags};
  printf("%s\tset access of %d %d to %d\n", N(cuMemPoolSetAccess(pool, &access, 1)), (int)type, id,
         (int)flags);
  access_of(pool, type, id);
}

static void memory_of(CUmemoryPool pool, size_t size) {
  CUdeviceptr memory = 0, base = 0;
  size_t range = 0;
  unsigned word = 7;
  T(cuMemAllocFromPoolAsync(&memory, size, pool, NULL));
  if (memory == 0) return;
  ABOUT(MEMORY_TYPE);
  ABOUT(IS_MANAGED);
  ABOUT(DEVICE_ORDINAL);
  ABOUT(CONTEXT);
  ABOUT(HOST_POINTER);
  ABOUT(DEVICE_POINTER);
  ABOUT(RANGE_START_ADDR);
  ABOUT(RANGE_SIZE);
  ABOUT(MAPPED);
  ABOUT(MEMPOOL_HANDLE);
  ABOUT(ALLOWED_HANDLE_TYPES);
  ABOUT(IS_LEGACY_CUDA_IPC_CAPABLE);
  ABOUT(ACCESS_FLAGS);
  printf("%s\trange\n", N(cuMemGetAddressRange(&base, &range, memory + 1)));
  printf("%zu\tbytes\n", range);
  T(cuMemcpyHtoD(memory, &word, 4));
  word = 0;
  T(cuMemcpyDtoH(&word, memory, 4));
  printf("%u\tthere\n", word);
  T(cuMemsetD32(memory, 9, 4));
  unsigned long long of_host = 0;
  if (cuPointerGetAttribute(&of_host, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory) == CUDA_SUCCESS &&
      of_host != 0) {
    cuCtxSynchronize();
    printf("%u\tfor the host\n", *(unsigned*)of_host);
  }
  T(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_READ_MOSTLY,
                (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 0}));
  T(cuMemPrefetchAsync(memory, size, (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 0}, 0, NULL));
  T(cuMemPrefetchAsync(memory, size, (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}, 0, NULL));
  T(cuMemHostGetDevicePointer(&base, (void*)memory, 0));
  T(cuMemFreeHost((void*)memory));
  NUMBER(RESERVED_MEM_CURRENT);
  NUMBER(USED_MEM_CURRENT);
  T(cuMemFreeAsync(memory, NULL));
  T(cuCtxSynchronize());
  NUMBER(USED_MEM_CURRENT);
  memory = 0;
  T(cuMemAllocFromPoolAsync(&memory, size, pool, NULL));
  T(cuMemFree(memory));
}

static void pool_of(CUmemAllocationType kind, CUmemLocationType type, int id,
                    CUmemAllocationHandleType handles, size_t most) {
  CUmemPoolProps properties;
  CUmemoryPool pool = NULL;
  memset(&properties, 0, sizeof properties);
  properties.allocType = kind;
  properties.location.type = type;
  properties.location.id = id;
  properties.handleTypes = handles;
  properties.maxSize = most;
  const CUresult code = cuMemPoolCreate(&pool, &properties);
  printf("%s\tpool of kind %d at %d %d, handles %d, most %zu\n", N(code), (int)kind, (int)type, id,
         (int)handles, most);
  fflush(stdout);
  if (code != CUDA_SUCCESS) return;
  access_of(pool, CU_MEM_LOCATION_TYPE_DEVICE, 0);
  access_of(pool, CU_MEM_LOCATION_TYPE_HOST, 0);
  access_of(pool, CU_MEM_LOCATION_TYPE_HOST_NUMA, 0);
  NUMBER(RELEASE_THRESHOLD);
  NUMBER(REUSE_FOLLOW_EVENT_DEPENDENCIES);
  NUMBER(REUSE_ALLOW_OPPORTUNISTIC);
  NUMBER(REUSE_ALLOW_INTERNAL_DEPENDENCIES);
  NUMBER(RESERVED_MEM_CURRENT);
  if (handles == CU_MEM_HANDLE_TYPE_NONE && most == 0) {
    memory_of(pool, 4096);
    set_access(pool, CU_MEM_LOCATION_TYPE_DEVICE, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    set_access(pool, CU_MEM_LOCATION_TYPE_DEVICE, 0, CU_MEM_ACCESS_FLAGS_PROT_READ);
    set_access(pool, CU_MEM_LOCATION_TYPE_DEVICE, 0, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    set_access(pool, CU_MEM_LOCATION_TYPE_HOST, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    set_access(pool, CU_MEM_LOCATION_TYPE_HOST, 0, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    set_access(pool, CU_MEM_LOCATION_TYPE_HOST_NUMA, 0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
  T(cuMemPoolTrimTo(pool, 0));
  T(cuMemPoolDestroy(pool));
}

/* Which of those that came before it is. */
static int known(CUmemoryPool pool) {
  static CUmemoryPool all[64];
  static int count = 0;
  int i;
  if (pool == NULL) return -1;
  for (i = 0; i < count; ++i)
    if (all[i] == pool) return i;
  all[count++] = pool;
  return i;
}

static void defaults(CUmemAllocationType kind, CUmemLocationType type, int id) {
  CUmemLocation place = {.type = type, .id = id};
  CUmemoryPool first = NULL, current = NULL, of_device = NULL, again = NULL;
  printf("\tkind %d at %d %d\n", (int)kind, (int)type, id);
  T(cuMemGetDefaultMemPool(&first, &place, kind));
  T(cuMemGetMemPool(&current, &place, kind));
  cuDeviceGetDefaultMemPool(&of_device, device);
  printf("%d %d %d\tthe device's, the default one, the current one\n", known(of_device), known(first),
         known(current));
  if (first != NULL) {
    T(cuMemGetDefaultMemPool(&again, &place, kind));
    printf("%d\tas before\n", again == first);
    T(cuMemPoolDestroy(first));
  }
  T(cuMemSetMemPool(&place, kind, of_device));
  if (first != NULL) T(cuMemSetMemPool(&place, kind, first));
}

int main(void) {
  static const CUmemLocationType places[] = {CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE,
                                             CU_MEM_LOCATION_TYPE_HOST, CU_MEM_LOCATION_TYPE_HOST_NUMA,
                                             CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT};
  static const CUmemAllocationType pool_kinds[] = {
      CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_ALLOCATION_TYPE_MANAGED, CU_MEM_ALLOCATION_TYPE_INVALID};
  CUcontext context;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
      cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS)
    return 1;
  for (size_t kind = 0; kind < 3; ++kind)
    for (size_t place = 0; place < 5; ++place)
      for (int id = -1; id < 2; ++id) {
        pool_of(pool_kinds[kind], places[place], id, CU_MEM_HANDLE_TYPE_NONE, 0);
        fflush(stdout);
      }
  for (size_t kind = 0; kind < 2; ++kind)
    for (size_t place = 0; place < 4; ++place) {
      pool_of(pool_kinds[kind], places[place], 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
      pool_of(pool_kinds[kind], places[place], 0, CU_MEM_HANDLE_TYPE_NONE, 1 << 20);
    }
  for (size_t kind = 0; kind < 3; ++kind)
    for (size_t place = 0; place < 5; ++place)
      for (int id = -1; id < 2; ++id) {
        defaults(pool_kinds[kind], places[place], id);
        fflush(stdout);
      }
  return 0;
}
