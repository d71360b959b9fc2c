/* Calls that are right but for one thing: no context is current. With `keeps_context` they are right. */
#include <cuda.h>

static int keeps_context;

static CUresult alone_answer;
static CUcontext put_away;
#define ALONE(call) \
  (keeps_context    \
       ? (call)     \
       : (cuCtxPopCurrent(&put_away), alone_answer = call, cuCtxPushCurrent(put_away), alone_answer))
#define ALONE_CASES(X)                                                                                       \
  X(ALONE(cuCtxGetDevice(&a_number)))                                                                        \
  X(ALONE(cuCtxSynchronize()))                                                                               \
  X(ALONE(cuCtxGetFlags(&a_word)))                                                                           \
  X(ALONE(cuCtxGetId(context, &an_id)))                                                                      \
  X(ALONE(cuCtxGetId(NULL, &an_id)))                                                                         \
  X(ALONE(cuCtxGetApiVersion(context, &a_word)))                                                             \
  X(ALONE(cuCtxGetLimit(&a_size, CU_LIMIT_STACK_SIZE)))                                                      \
  X(ALONE(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048)))                                                         \
  X(ALONE(cuCtxGetStreamPriorityRange(&a_number, &another_number)))                                          \
  X(ALONE(cuCtxPopCurrent(&a_context)))                                                                      \
  X(ALONE(cuMemGetInfo(&a_size, &another_size)))                                                             \
  X(ALONE(cuMemAlloc(&a_pointer, 64)))                                                                       \
  X(ALONE(cuMemAllocPitch(&a_pointer, &a_size, 64, 4, 4)))                                                   \
  X(ALONE(cuMemAllocManaged(&a_pointer, 64, CU_MEM_ATTACH_GLOBAL)))                                          \
  X(ALONE(cuMemAllocAsync(&a_pointer, 64, stream)))                                                          \
  X(ALONE(cuMemAllocAsync(&a_pointer, 64, NULL)))                                                            \
  X(ALONE(cuMemAllocFromPoolAsync(&a_pointer, 64, pool, stream)))                                            \
  X(ALONE(cuMemHostAlloc(&an_address, 64, 0)))                                                               \
  X(ALONE(cuMemAllocHost(&an_address, 64)))                                                                  \
  X(ALONE(cuMemHostRegister(not_pinned, ALLOCATED, 0)))                                                      \
  X(ALONE(cuMemHostGetDevicePointer(&a_pointer, pinned, 0)))                                                 \
  X(ALONE(cuMemHostGetFlags(&a_word, pinned)))                                                               \
  X(ALONE(cuMemGetAddressRange(&a_pointer, &a_size, memory)))                                                \
  X(ALONE(cuMemFree(0)))                                                                                     \
  X(ALONE(cuMemFree(spare_managed)))                                                                         \
  X(ALONE(cuMemFreeAsync(spare_for_stream, stream)))                                                         \
  X(ALONE(cuMemFreeHost(spare_pinned)))                                                                      \
  X(ALONE(cuMemHostUnregister(spare_registered)))                                                            \
  X(ALONE(cuMemcpyHtoD(memory, host, 64)))                                                                   \
  X(ALONE(cuMemcpyDtoH(host, memory, 64)))                                                                   \
  X(ALONE(cuMemcpyDtoD(memory, memory + 64, 64)))                                                            \
  X(ALONE(cuMemcpy(memory, memory + 64, 64)))                                                                \
  X(ALONE(cuMemcpyAsync(memory, memory + 64, 64, stream)))                                                   \
  X(ALONE(cuMemcpyHtoDAsync(memory, host, 64, stream)))                                                      \
  X(ALONE(cuMemcpyHtoDAsync(memory, host, 64, NULL)))                                                        \
  X(ALONE(cuMemcpyDtoHAsync(host, memory, 64, stream)))                                                      \
  X(ALONE(cuMemcpyPeer(memory, context, memory + 64, context, 64)))                                          \
  X(ALONE(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 4, 4)})))                                             \
  X(ALONE(cuMemcpyHtoA(array, 0, host, 16)))                                                                 \
  X(ALONE(cuMemsetD8(memory, 0, 64)))                                                                        \
  X(ALONE(cuMemsetD32Async(memory, 0, 16, stream)))                                                          \
  X(ALONE(cuMemsetD32Async(memory, 0, 16, NULL)))                                                            \
  X(ALONE(cuMemPrefetchAsync(managed, 64, here, 0, stream)))                                                 \
  X(ALONE(cuMemAdvise(managed, ALLOCATED, CU_MEM_ADVISE_SET_READ_MOSTLY, here)))                             \
  X(ALONE(cuPointerGetAttribute(&an_id, CU_POINTER_ATTRIBUTE_BUFFER_ID, memory)))                            \
  X(ALONE(cuPointerGetAttribute(&a_context, CU_POINTER_ATTRIBUTE_CONTEXT, memory)))                          \
  X(ALONE(cuModuleLoadData(&a_module, ptx)))                                                                 \
  X(ALONE(cuModuleGetFunction(&a_function, module, "store")))                                                \
  X(ALONE(cuModuleGetFunction(&a_function, module, "bounded")))                                              \
  X(ALONE(cuModuleGetGlobal(&a_pointer, &a_size, module, "word")))                                           \
  X(ALONE(cuModuleGetFunctionCount(&a_word, module)))                                                        \
  X(ALONE(cuModuleUnload(spare_module)))                                                                     \
  X(ALONE(cuLibraryLoadData(&a_library, ptx, NULL, NULL, 0, NULL, NULL, 0)))                                 \
  X(ALONE(cuLibraryGetKernel(&a_kernel, library, "store")))                                                  \
  X(ALONE(cuLibraryGetModule(&a_module, library)))                                                           \
  X(ALONE(cuLibraryGetGlobal(&a_pointer, &a_size, library, "word")))                                         \
  X(ALONE(cuKernelGetFunction(&a_function, library_kernel)))                                                 \
  X(ALONE(cuKernelGetAttribute(&a_number, CU_FUNC_ATTRIBUTE_NUM_REGS, library_kernel, device)))              \
  X(ALONE(cuLibraryUnload(spare_library)))                                                                   \
  X(ALONE(cuFuncGetAttribute(&a_number, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, store)))                    \
  X(ALONE(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64)))                   \
  X(ALONE(cuFuncSetCacheConfig(store, CU_FUNC_CACHE_PREFER_L1)))                                             \
  X(ALONE(cuFuncGetModule(&a_module, store)))                                                                \
  X(ALONE(cuFuncLoad(store)))                                                                                \
  X(ALONE(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL)))                             \
  X(ALONE(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL)))                               \
  X(ALONE(cuLaunchKernelEx((CUlaunchConfig[]){configured(1, stream)}, store, parameters, NULL)))             \
  X(ALONE(cuLaunchHostFunc(stream, NULL, NULL)))                                                             \
  X(ALONE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, store, 64, 0)))                             \
  X(ALONE(cuStreamCreate(&a_stream, 0)))                                                                     \
  X(ALONE(cuStreamQuery(stream)))                                                                            \
  X(ALONE(cuStreamQuery(NULL)))                                                                              \
  X(ALONE(cuStreamSynchronize(stream)))                                                                      \
  X(ALONE(cuStreamSynchronize(NULL)))                                                                        \
  X(ALONE(cuStreamGetFlags(stream, &a_word)))                                                                \
  X(ALONE(cuStreamGetPriority(stream, &a_number)))                                                           \
  X(ALONE(cuStreamGetCtx(stream, &a_context)))                                                               \
  X(ALONE(cuStreamGetCtx(NULL, &a_context)))                                                                 \
  X(ALONE(cuStreamGetId(stream, &an_id)))                                                                    \
  X(ALONE(cuStreamWaitEvent(stream, event, 0)))                                                              \
  X(ALONE(cuStreamIsCapturing(stream, &a_status)))                                                           \
  X(ALONE(cuStreamWriteValue32(stream, memory, 1, 0)))                                                       \
  X(ALONE(cuStreamDestroy(spare_stream)))                                                                    \
  X(ALONE(cuEventCreate(&an_event, 0)))                                                                      \
  X(ALONE(cuEventRecord(event, stream)))                                                                     \
  X(ALONE(cuEventRecord(event, NULL)))                                                                       \
  X(ALONE(cuEventQuery(event)))                                                                              \
  X(ALONE(cuEventSynchronize(event)))                                                                        \
  X(ALONE(cuEventElapsedTime(&a_float, event, event)))                                                       \
  X(ALONE(cuEventDestroy(spare_event)))                                                                      \
  X(ALONE(cuGraphCreate(&a_graph, 0)))                                                                       \
  X(ALONE(cuGraphAddEmptyNode(&a_node, graph, NULL, 0)))                                                     \
  X(ALONE(cuGraphInstantiate(&an_executable, graph, 0)))                                                     \
  X(ALONE(cuGraphLaunch(executable, stream)))                                                                \
  X(ALONE(cuGraphDestroy(spare_graph)))                                                                      \
  X(ALONE(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(4, 4, CU_AD_FORMAT_FLOAT, 1)})))           \
  X(ALONE(cuArrayGetDescriptor((CUDA_ARRAY_DESCRIPTOR[]){{0}}, array)))                                      \
  X(ALONE(cuArrayDestroy(spare_array)))                                                                      \
  X(ALONE(cuMipmappedArrayGetLevel(&an_array, mipmapped, 0)))                                                \
  X(ALONE(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)}, (CUDA_TEXTURE_DESC[]){{0}}, \
                            NULL)))                                                                          \
  X(ALONE(cuTexObjectGetResourceDesc((CUDA_RESOURCE_DESC[]){{0}}, texture)))                                 \
  X(ALONE(cuTexObjectDestroy(spare_texture)))                                                                \
  X(ALONE(cuSurfObjectDestroy(spare_surface)))                                                               \
  X(ALONE(cuMemPoolCreate(&a_pool, (CUmemPoolProps[]){of_device(0)})))                                       \
  X(ALONE(cuMemPoolTrimTo(pool, 0)))                                                                         \
  X(ALONE(cuMemPoolDestroy(spare_pool)))                                                                     \
  X(ALONE(cuDeviceGetDefaultMemPool(&a_pool, device)))                                                       \
  X(ALONE(cuMemCreate(&a_handle, 2 << 20, (CUmemAllocationProp[]){physical(0)}, 0)))                         \
  X(ALONE(cuMemAddressReserve(&a_pointer, 2 << 20, 0, 0, 0)))                                                \
  X(ALONE(cuLinkCreate(0, NULL, NULL, &a_link)))                                                             \
  X(ALONE(cuProfilerStart()))
