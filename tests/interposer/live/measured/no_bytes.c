/* Memory of no bytes, and pools where no context is current. */
#include <string.h>

#include "tell.h"

static CUdevice device;
static CUmemoryPool pool, shared, imported;
static CUdeviceptr memory;
static CUstream stream;
static unsigned long long number;
static CUmemLocation place = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
static CUmemAccess_flags flags;
static CUmemPoolPtrExportData exported;
static int descriptor;

#define M(call)                                                    \
  (memory = 5, printf("%s\t%s\n", N(call), #call), fflush(stdout), \
   printf("%s\taddress\n", memory == 0   ? "0"                     \
                           : memory == 5 ? "kept"                  \
                                         : "some"))

static void sizes(void) {
  puts("\tof no bytes");
  M(cuMemAllocAsync(&memory, 0, NULL));
  M(cuMemAllocAsync(&memory, 0, stream));
  M(cuMemAllocFromPoolAsync(&memory, 0, pool, NULL));
  M(cuMemAllocFromPoolAsync(&memory, 0, pool, stream));
  T(cuMemAllocAsync(NULL, 0, stream));
}

static void without_context(void) {
  CUmemPoolProps properties;
  CUmemAccessDesc access = {place, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemoryPool other = NULL;
  memset(&properties, 0, sizeof properties);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = place;
  T(cuMemPoolCreate(&other, &properties));
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  T(cuMemPoolCreate(&shared, &properties));
  T(cuMemPoolGetAttribute(other, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  T(cuMemPoolSetAttribute(other, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &number));
  T(cuMemPoolSetAccess(other, &access, 1));
  T(cuMemPoolGetAccess(&flags, other, &place));
  T(cuMemPoolTrimTo(other, 0));
  T(cuMemPoolExportToShareableHandle(&descriptor, shared, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  T(cuMemPoolImportFromShareableHandle(&imported, (void*)(size_t)descriptor,
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  T(cuMemPoolExportPointer(&exported, memory));
  T(cuMemPoolImportPointer(&memory, imported, &exported));
  T(cuDeviceGetDefaultMemPool(&other, device));
  T(cuDeviceGetMemPool(&other, device));
  T(cuDeviceSetMemPool(device, other));
  T(cuMemGetDefaultMemPool(&other, &place, CU_MEM_ALLOCATION_TYPE_PINNED));
  T(cuMemGetMemPool(&other, &place, CU_MEM_ALLOCATION_TYPE_PINNED));
  T(cuMemAllocFromPoolAsync(&memory, 64, other, NULL));
  T(cuMemAllocAsync(&memory, 64, NULL));
  T(cuMemAllocFromPoolAsync(&memory, 0, other, NULL));
  T(cuMemAllocFromPoolAsync(&memory, 64, other, stream));
  T(cuMemFreeAsync(0, NULL));
  T(cuMemFreeAsync(0, stream));
  if (shared != NULL) T(cuMemPoolDestroy(shared));
}

int main(void) {
  CUcontext context;
  CUmemPoolProps properties;
  memset(&properties, 0, sizeof properties);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = place;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
  puts("\tbefore there was a context");
  without_context();
  if (cuDevicePrimaryCtxRetain(&context, device) != CUDA_SUCCESS) return 1;
  puts("\ta context that is not current");
  without_context();
  if (cuCtxSetCurrent(context) != CUDA_SUCCESS ||
      cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS ||
      cuMemPoolCreate(&pool, &properties) != CUDA_SUCCESS)
    return 1;
  sizes();
  return 0;
}
