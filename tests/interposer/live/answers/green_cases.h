/* Calls about green contexts, and about what is asked of a device beside its attributes. */
#include "objects.h"

static CUdevResource all_units, some_units[20], other_units;
static unsigned a_count = 1;
static CUdevResourceDesc a_description;
static CUgreenCtx a_green, green;
static CUcontext of_green;
static CUstream a_green_stream;

static const CUdevResource* units(void) {
  cuDeviceGetDevResource(device, &all_units, CU_DEV_RESOURCE_TYPE_SM);
  return &all_units;
}
static CUresult split(unsigned groups, unsigned flags, unsigned least) {
  a_count = groups;
  return cuDevSmResourceSplitByCount(some_units, &a_count, units(), &other_units, flags, least);
}
static CUdevResourceDesc description(void) {
  split(1, 0, 8);
  cuDevResourceGenerateDesc(&a_description, some_units, 1);
  return a_description;
}
static CUgreenCtx made_green(void) {
  if (green == NULL) cuGreenCtxCreate(&green, description(), device, CU_GREEN_CTX_DEFAULT_STREAM);
  return green;
}
static CUcontext as_context(void) {
  if (of_green == NULL) cuCtxFromGreenCtx(&of_green, made_green());
  return of_green;
}
/* A call in the green context, which is current meanwhile. */
static CUresult inside(int what) {
  CUdeviceptr place = 0;
  CUstream made = NULL;
  CUmodule loaded = NULL;
  CUevent mark = NULL;
  CUresult result = cuCtxPushCurrent(as_context());
  if (result != CUDA_SUCCESS) return result;
  switch (what) {
    case 0:
      result = cuMemAlloc(&place, 64);
      break;
    case 1:
      result = cuStreamCreate(&made, 0);
      break;
    case 2:
      result = cuStreamCreate(&made, CU_STREAM_NON_BLOCKING);
      break;
    case 3:
      result = cuModuleLoadData(&loaded, ptx);
      break;
    case 4:
      result = cuCtxGetFlags(&a_word);
      break;
    case 5:
      result = cuCtxGetLimit(&a_size, CU_LIMIT_STACK_SIZE);
      break;
    case 6:
      result = cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048);
      break;
    case 7:
      result = cuEventCreate(&mark, 0);
      break;
    case 8:
      result = cuEventRecord(event, NULL);
      break;
    case 9:
      result = cuCtxSynchronize();
      break;
    case 10:
      result = cuCtxGetExecAffinity((CUexecAffinityParam[]){{0}}, CU_EXEC_AFFINITY_TYPE_SM_COUNT);
      break;
    case 11:
      result = cuMemsetD8(memory, 0, 4);
      break;
    case 12:
      result = cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
      break;
    case 13:
      result = cuCtxGetDevice(&device);
      break;
    case 14:
      result = cuCtxGetApiVersion(NULL, &a_word);
      break;
    default:
      result = CUDA_ERROR_UNKNOWN;
  }
  cuCtxPopCurrent(NULL);
  return result;
}

static char words[256];
static CUlogIterator an_iterator;
static CUlogsCallbackHandle a_callback;
static void take_log(void* data, CUlogLevel level, char* message, size_t length) {
  (void)data, (void)level, (void)message, (void)length;
}
static CUasyncCallbackHandle a_notification;
static void take_notice(CUasyncNotificationInfo* info, void* data, CUasyncCallbackHandle handle) {
  (void)info, (void)data, (void)handle;
}
static CUexecAffinityParam an_affinity;
static unsigned capabilities[16];
static const CUatomicOperation operations[] = {CU_ATOMIC_OPERATION_INTEGER_ADD, CU_ATOMIC_OPERATION_CAS},
                               no_operation[] = {99};
static CUDA_ARRAY_MEMORY_REQUIREMENTS requirements;
static CUDA_ARRAY_SPARSE_PROPERTIES sparse_properties;
static CUdevprop_v1 properties;
static CUmulticastObjectProp together(unsigned devices) {
  return (CUmulticastObjectProp){.numDevices = devices, .size = 2 << 20};
}
static CUDA_LAUNCH_PARAMS launch_parameters(unsigned threads, CUstream on) {
  return (CUDA_LAUNCH_PARAMS){store, 1, 1, 1, threads, 1, 1, 0, on, parameters};
}
static CUDA_MEMCPY3D_BATCH_OP batch_copy(CUdeviceptr to, const void* from, size_t width) {
  return (CUDA_MEMCPY3D_BATCH_OP){
      .src = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = (CUdeviceptr)(size_t)from}},
      .dst = {.type = CU_MEMCPY_OPERAND_TYPE_POINTER, .op.ptr = {.ptr = to}},
      .extent = {width, 1, 1},
      .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
}

#define GREEN_CASES(X)                                                                              \
  X(cuDeviceGetDevResource(device, NULL, CU_DEV_RESOURCE_TYPE_SM))                                  \
  X(cuDeviceGetDevResource(99, &all_units, CU_DEV_RESOURCE_TYPE_SM))                                \
  X(cuDeviceGetDevResource(device, &all_units, CU_DEV_RESOURCE_TYPE_INVALID))                       \
  X(cuDeviceGetDevResource(device, &all_units, 99))                                                 \
  X(cuDeviceGetDevResource(device, &all_units, CU_DEV_RESOURCE_TYPE_SM))                            \
  X(cuCtxGetDevResource(NULL, &all_units, CU_DEV_RESOURCE_TYPE_SM))                                 \
  X(cuCtxGetDevResource(context, &all_units, CU_DEV_RESOURCE_TYPE_SM))                              \
  X(cuCtxGetDevResource(context, NULL, CU_DEV_RESOURCE_TYPE_SM))                                    \
  X(cuCtxGetDevResource((CUcontext)host, &all_units, CU_DEV_RESOURCE_TYPE_SM))                      \
  X(split(1, 0, 8))                                                                                 \
  X(split(1, 0, 0))                                                                                 \
  X(split(0, 0, 8))                                                                                 \
  X(split(20, 0, 8))                                                                                \
  X(split(1, 0, 132))                                                                               \
  X(split(1, 0, 133))                                                                               \
  X(split(1, 1, 1))                                                                                 \
  X(split(1, 2, 16))                                                                                \
  X(split(1, 4, 8))                                                                                 \
  X(cuDevSmResourceSplitByCount(some_units, NULL, units(), NULL, 0, 8))                             \
  X(cuDevSmResourceSplitByCount(NULL, &a_count, units(), NULL, 0, 8))                               \
  X(cuDevSmResourceSplitByCount(some_units, &a_count, NULL, NULL, 0, 8))                            \
  X(cuDevSmResourceSplitByCount(some_units, &a_count, (CUdevResource[]){{0}}, NULL, 0, 8))          \
  X(cuDevResourceGenerateDesc(NULL, units() ? &all_units : NULL, 1))                                \
  X(cuDevResourceGenerateDesc(&a_description, NULL, 1))                                             \
  X(cuDevResourceGenerateDesc(&a_description, units() ? &all_units : NULL, 0))                      \
  X(cuDevResourceGenerateDesc(&a_description, units() ? &all_units : NULL, 1))                      \
  X(cuDevResourceGenerateDesc(&a_description, (CUdevResource[]){{0}}, 1))                           \
  X(split(2, 0, 8) ? CUDA_ERROR_UNKNOWN : cuDevResourceGenerateDesc(&a_description, some_units, 2)) \
  X(cuGreenCtxCreate(NULL, description(), device, CU_GREEN_CTX_DEFAULT_STREAM))                     \
  X(cuGreenCtxCreate(&a_green, NULL, device, CU_GREEN_CTX_DEFAULT_STREAM))                          \
  X(cuGreenCtxCreate(&a_green, description(), 99, CU_GREEN_CTX_DEFAULT_STREAM))                     \
  X(cuGreenCtxCreate(&a_green, description(), device, 0))                                           \
  X(cuGreenCtxCreate(&a_green, description(), device, 99))                                          \
  X(cuGreenCtxCreate(&a_green, description(), device, CU_GREEN_CTX_DEFAULT_STREAM))                 \
  X(cuGreenCtxDestroy(a_green))                                                                     \
  X(cuGreenCtxDestroy(NULL))                                                                        \
  X(cuCtxFromGreenCtx(NULL, made_green()))                                                          \
  X(cuCtxFromGreenCtx(&a_context, NULL))                                                            \
  X(cuCtxFromGreenCtx(&a_context, made_green()))                                                    \
  X(cuGreenCtxGetDevResource(NULL, &all_units, CU_DEV_RESOURCE_TYPE_SM))                            \
  X(cuGreenCtxGetDevResource(made_green(), NULL, CU_DEV_RESOURCE_TYPE_SM))                          \
  X(cuGreenCtxGetDevResource(made_green(), &all_units, 99))                                         \
  X(cuGreenCtxGetDevResource(made_green(), &all_units, CU_DEV_RESOURCE_TYPE_SM))                    \
  X(cuCtxGetDevResource(as_context(), &all_units, CU_DEV_RESOURCE_TYPE_SM))                         \
  X(cuGreenCtxStreamCreate(NULL, made_green(), CU_STREAM_NON_BLOCKING, 0))                          \
  X(cuGreenCtxStreamCreate(&a_green_stream, NULL, CU_STREAM_NON_BLOCKING, 0))                       \
  X(cuGreenCtxStreamCreate(&a_green_stream, made_green(), 0, 0))                                    \
  X(cuGreenCtxStreamCreate(&a_green_stream, made_green(), 99, 0))                                   \
  X(cuGreenCtxStreamCreate(&a_green_stream, made_green(), CU_STREAM_NON_BLOCKING, 0))               \
  X(cuStreamGetGreenCtx(a_green_stream, &a_green))                                                  \
  X(cuStreamGetGreenCtx(stream, &a_green))                                                          \
  X(cuStreamGetGreenCtx(NULL, &a_green))                                                            \
  X(cuStreamGetGreenCtx(stream, NULL))                                                              \
  X(cuStreamGetCtx_v2(stream, &a_context, &a_green))                                                \
  X(cuStreamGetCtx_v2(stream, &a_context, NULL))                                                    \
  X(cuStreamGetCtx_v2(stream, NULL, &a_green))                                                      \
  X(cuStreamGetCtx_v2(a_green_stream, &a_context, &a_green))                                        \
  X(cuStreamGetCtx(a_green_stream, &a_context))                                                     \
  X(cuGreenCtxGetId(made_green(), &an_id))                                                          \
  X(cuGreenCtxGetId(NULL, &an_id))                                                                  \
  X(cuGreenCtxGetId(made_green(), NULL))                                                            \
  X(cuGreenCtxRecordEvent(made_green(), event))                                                     \
  X(cuGreenCtxRecordEvent(NULL, event))                                                             \
  X(cuGreenCtxRecordEvent(made_green(), NULL))                                                      \
  X(cuGreenCtxWaitEvent(made_green(), event))                                                       \
  X(cuGreenCtxWaitEvent(NULL, event))                                                               \
  X(cuGreenCtxWaitEvent(made_green(), NULL))                                                        \
  X(cuGreenCtxWaitEvent(made_green(), unrecorded))                                                  \
  X(cuCtxRecordEvent(context, event))                                                               \
  X(cuCtxRecordEvent(NULL, event))                                                                  \
  X(cuCtxRecordEvent(context, NULL))                                                                \
  X(cuCtxRecordEvent((CUcontext)host, event))                                                       \
  X(cuCtxRecordEvent(as_context(), event))                                                          \
  X(cuCtxWaitEvent(context, event))                                                                 \
  X(cuCtxWaitEvent(NULL, event))                                                                    \
  X(cuCtxWaitEvent(context, NULL))                                                                  \
  X(cuCtxWaitEvent(context, unrecorded))                                                            \
  X(cuCtxWaitEvent(as_context(), event))                                                            \
  X(inside(0))                                                                                      \
  X(inside(1))                                                                                      \
  X(inside(2))                                                                                      \
  X(inside(3))                                                                                      \
  X(inside(4))                                                                                      \
  X(inside(5))                                                                                      \
  X(inside(6))                                                                                      \
  X(inside(7))                                                                                      \
  X(inside(8))                                                                                      \
  X(inside(9))                                                                                      \
  X(inside(10))                                                                                     \
  X(inside(11))                                                                                     \
  X(inside(12))                                                                                     \
  X(inside(13))                                                                                     \
  X(inside(14))                                                                                     \
  X(cuCtxDestroy(as_context()))                                                                     \
  X(cuGreenCtxDestroy(made_green()))

#define DEVICE_CASES(X)                                                                                      \
  X(cuDeviceGetProperties(&properties, device))                                                              \
  X(cuDeviceGetProperties(NULL, device))                                                                     \
  X(cuDeviceGetProperties(&properties, 99))                                                                  \
  X(cuDeviceGetLuid(a_name, &a_word, device))                                                                \
  X(cuDeviceGetTexture1DLinearMaxWidth(&a_size, CU_AD_FORMAT_FLOAT, 1, device))                              \
  X(cuDeviceGetTexture1DLinearMaxWidth(&a_size, CU_AD_FORMAT_FLOAT, 3, device))                              \
  X(cuDeviceGetTexture1DLinearMaxWidth(&a_size, 99, 1, device))                                              \
  X(cuDeviceGetTexture1DLinearMaxWidth(NULL, CU_AD_FORMAT_FLOAT, 1, device))                                 \
  X(cuDeviceGetTexture1DLinearMaxWidth(&a_size, CU_AD_FORMAT_FLOAT, 1, 99))                                  \
  X(cuDeviceGetExecAffinitySupport(&a_number, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device))                       \
  X(cuDeviceGetExecAffinitySupport(&a_number, 9, device))                                                    \
  X(cuDeviceGetExecAffinitySupport(NULL, 0, device))                                                         \
  X(cuCtxGetExecAffinity(&an_affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT))                                      \
  X(cuCtxGetExecAffinity(&an_affinity, 9))                                                                   \
  X(cuCtxGetExecAffinity(NULL, CU_EXEC_AFFINITY_TYPE_SM_COUNT))                                              \
  X(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, device))                                  \
  X(cuDeviceGetHostAtomicCapabilities(capabilities, no_operation, 1, device))                                \
  X(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 0, device))                                  \
  X(cuDeviceGetHostAtomicCapabilities(NULL, operations, 2, device))                                          \
  X(cuDeviceGetHostAtomicCapabilities(capabilities, NULL, 2, device))                                        \
  X(cuDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 99))                                      \
  X(cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, device, device))                           \
  X(cuDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, device, 99))                               \
  X(cuDeviceRegisterAsyncNotification(device, take_notice, NULL, &a_notification))                           \
  X(cuDeviceUnregisterAsyncNotification(device, a_notification))                                             \
  X(cuDeviceUnregisterAsyncNotification(device, NULL))                                                       \
  X(cuDeviceRegisterAsyncNotification(device, NULL, NULL, &a_notification))                                  \
  X(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,                           \
                               CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER))                                    \
  X(cuFlushGPUDirectRDMAWrites(99, CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER))                                \
  X(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX, 99))                      \
  X((a_size = sizeof words, cuCoredumpGetAttribute(CU_COREDUMP_FILE, words, &a_size)))                       \
  X(cuCoredumpGetAttribute(99, words, &a_size))                                                              \
  X(cuCoredumpGetAttribute(CU_COREDUMP_FILE, words, NULL))                                                   \
  X((a_size = sizeof words, cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, words, &a_size)))                 \
  X(cuCoredumpGetAttributeGlobal(0, words, &a_size))                                                         \
  X(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, (int[]){0}, (size_t[]){1}))                      \
  X(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, (int[]){0}, (size_t[]){4}))                      \
  X(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, NULL, (size_t[]){1}))                            \
  X(cuCoredumpSetAttributeGlobal(CU_COREDUMP_LIGHTWEIGHT, (int[]){0}, (size_t[]){1}))                        \
  X(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, "/tmp/no", (size_t[]){8}))                                \
  X(cuCoredumpSetAttribute(CU_COREDUMP_FILE, "/tmp/no", (size_t[]){8}))                                      \
  X(cuLogsRegisterCallback(take_log, NULL, &a_callback))                                                     \
  X(cuLogsUnregisterCallback(a_callback))                                                                    \
  X(cuLogsUnregisterCallback(NULL))                                                                          \
  X(cuLogsRegisterCallback(NULL, NULL, &a_callback))                                                         \
  X(cuLogsRegisterCallback(take_log, NULL, NULL))                                                            \
  X(cuLogsCurrent(&an_iterator, 0))                                                                          \
  X(cuLogsCurrent(&an_iterator, 1))                                                                          \
  X(cuLogsCurrent(NULL, 0))                                                                                  \
  X(cuLogsDumpToFile(NULL, "/dev/null", 0))                                                                  \
  X(cuLogsDumpToFile(&an_iterator, "/dev/null", 0))                                                          \
  X(cuLogsDumpToFile(NULL, "/no/such/place", 0))                                                             \
  X(cuLogsDumpToFile(NULL, NULL, 0))                                                                         \
  X(cuLogsDumpToFile(NULL, "/dev/null", 1))                                                                  \
  X((a_size = sizeof words, cuLogsDumpToMemory(NULL, words, &a_size, 0)))                                    \
  X(cuLogsDumpToMemory(NULL, NULL, &a_size, 0))                                                              \
  X(cuLogsDumpToMemory(NULL, words, NULL, 0))                                                                \
  X((a_size = sizeof words, cuLogsDumpToMemory(NULL, words, &a_size, 1)))                                    \
  X(cuArrayGetMemoryRequirements(&requirements, array, device))                                              \
  X(cuArrayGetMemoryRequirements(NULL, array, device))                                                       \
  X(cuArrayGetMemoryRequirements(&requirements, NULL, device))                                               \
  X(cuArrayGetMemoryRequirements(&requirements, array, 99))                                                  \
  X(cuMipmappedArrayGetMemoryRequirements(&requirements, mipmapped, device))                                 \
  X(cuArrayGetSparseProperties(&sparse_properties, array))                                                   \
  X(cuArrayGetSparseProperties(&sparse_properties, NULL))                                                    \
  X(cuMipmappedArrayGetSparseProperties(&sparse_properties, mipmapped))                                      \
  X(cuMemMapArrayAsync(NULL, 0, stream))                                                                     \
  X(cuMulticastGetGranularity(&a_size, (CUmulticastObjectProp[]){together(1)}, 0))                           \
  X(cuMulticastCreate(&a_handle, (CUmulticastObjectProp[]){together(1)}))                                    \
  X(cuMulticastCreate(&a_handle, (CUmulticastObjectProp[]){together(2)}))                                    \
  X(cuMulticastCreate(NULL, (CUmulticastObjectProp[]){together(2)}))                                         \
  X(cuMulticastAddDevice(0, device))                                                                         \
  X(cuMulticastBindMem(0, 0, 0, 0, 2 << 20, 0))                                                              \
  X(cuMulticastBindAddr(0, 0, memory, 2 << 20, 0))                                                           \
  X(cuMulticastUnbind(0, device, 0, 2 << 20))                                                                \
  X(cuLaunchCooperativeKernelMultiDevice((CUDA_LAUNCH_PARAMS[]){launch_parameters(1, stream)}, 1, 0))        \
  X(cuLaunchCooperativeKernelMultiDevice((CUDA_LAUNCH_PARAMS[]){launch_parameters(1, NULL)}, 1, 0))          \
  X(cuLaunchCooperativeKernelMultiDevice((CUDA_LAUNCH_PARAMS[]){launch_parameters(0, stream)}, 1, 0))        \
  X(cuLaunchCooperativeKernelMultiDevice((CUDA_LAUNCH_PARAMS[]){launch_parameters(1, stream)}, 1, 99))       \
  X(cuLaunchCooperativeKernelMultiDevice(                                                                    \
      (CUDA_LAUNCH_PARAMS[]){launch_parameters(1, stream), launch_parameters(1, stream)}, 2, 0))             \
  X(cuLaunchCooperativeKernelMultiDevice(NULL, 1, 0))                                                        \
  X(cuLaunchCooperativeKernelMultiDevice((CUDA_LAUNCH_PARAMS[]){launch_parameters(1, stream)}, 0, 0))        \
  X(cuMemGetHandleForAddressRange(&a_number, memory, 4096, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0))          \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0}, 1, 0,       \
                            stream))                                                                         \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0}, 1, 1,       \
                            stream))                                                                         \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0}, 1, 0,       \
                            NULL))                                                                           \
  X(cuMemPrefetchBatchAsync(&memory, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0}, 1, 0,        \
                            stream))                                                                         \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 0, (CUmemLocation[]){here}, (size_t[]){0}, 1, 0,       \
                            stream))                                                                         \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){nowhere}, (size_t[]){0}, 1, 0,    \
                            stream))                                                                         \
  X(cuMemPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){1}, 1, 0,       \
                            stream))                                                                         \
  X(cuMemDiscardBatchAsync(&managed, (size_t[]){64}, 1, 0, stream))                                          \
  X(cuMemDiscardBatchAsync(&managed, (size_t[]){64}, 1, 1, stream))                                          \
  X(cuMemDiscardBatchAsync(&managed, (size_t[]){64}, 1, 0, NULL))                                            \
  X(cuMemDiscardBatchAsync(&memory, (size_t[]){64}, 1, 0, stream))                                           \
  X(cuMemDiscardBatchAsync(NULL, (size_t[]){64}, 1, 0, stream))                                              \
  X(cuMemDiscardAndPrefetchBatchAsync(&managed, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0},   \
                                      1, 0, stream))                                                         \
  X(cuMemDiscardAndPrefetchBatchAsync(&memory, (size_t[]){64}, 1, (CUmemLocation[]){here}, (size_t[]){0}, 1, \
                                      0, stream))                                                            \
  X(cuMemcpy3DBatchAsync(1, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(memory, host, 64)}, 0, stream))            \
  X(cuMemcpy3DBatchAsync(1, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(memory, host, 64)}, 0, NULL))              \
  X(cuMemcpy3DBatchAsync(1, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(memory, host, 64)}, 1, stream))            \
  X(cuMemcpy3DBatchAsync(0, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(memory, host, 64)}, 0, stream))            \
  X(cuMemcpy3DBatchAsync(1, NULL, 0, stream))                                                                \
  X(cuMemcpy3DBatchAsync(1, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(0, host, 64)}, 0, stream))                 \
  X(cuMemcpy3DBatchAsync(1, (CUDA_MEMCPY3D_BATCH_OP[]){batch_copy(memory, host, 0)}, 0, stream))             \
  X(cuCheckpointProcessGetState(0, (CUprocessState[]){0}))                                                   \
  X(cuCheckpointProcessGetState(1 << 30, (CUprocessState[]){0}))                                             \
  X(cuProfilerStart())                                                                                       \
  X(cuCtxAttach(&a_context, 0))                                                                              \
  X(cuCtxAttach(&a_context, 1))                                                                              \
  X(cuCtxAttach(NULL, 0))                                                                                    \
  X(cuCtxDetach(a_context))                                                                                  \
  X(cuCtxDetach(NULL))
