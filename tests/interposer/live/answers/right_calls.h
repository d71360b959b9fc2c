/* Calls that are right in themselves, by name: beside the capture of a stream, or once a kernel has failed.
 */
#ifndef WEDJAT_LIVE_ANSWERS_RIGHT_CALLS_H
#define WEDJAT_LIVE_ANSWERS_RIGHT_CALLS_H

#include "objects.h"

static CUstream to_capture, aside;
static void run_nothing(void* data) { (void)data; }
static void call_nothing(CUstream of, CUresult status, void* data) { (void)of, (void)status, (void)data; }

#define CALLS_BESIDE(X)                                                                              \
  X(ALLOCATE, cuMemAlloc(&a_pointer, 64))                                                            \
  X(ALLOCATE_ROWS, cuMemAllocPitch(&a_pointer, &a_size, 64, 4, 4))                                   \
  X(ALLOCATE_MANAGED, cuMemAllocManaged(&a_pointer, 64, CU_MEM_ATTACH_GLOBAL))                       \
  X(ALLOCATE_PINNED, cuMemHostAlloc(&an_address, 64, 0))                                             \
  X(ALLOCATE_ASIDE, cuMemAllocAsync(&a_pointer, 64, aside))                                          \
  X(ALLOCATE_BY_DEFAULT, cuMemAllocAsync(&a_pointer, 64, NULL))                                      \
  X(ALLOCATE_CAPTURED, cuMemAllocAsync(&a_pointer, 64, to_capture))                                  \
  X(FREE, cuMemFree(spare_managed))                                                                  \
  X(FREE_NOTHING, cuMemFree(0))                                                                      \
  X(FREE_PINNED, cuMemFreeHost(spare_pinned))                                                        \
  X(FREE_ASIDE, cuMemFreeAsync(spare_for_stream, aside))                                             \
  X(FREE_BY_DEFAULT, cuMemFreeAsync(spare_for_stream, NULL))                                         \
  X(REGISTER, cuMemHostRegister(not_pinned, ALLOCATED, 0))                                           \
  X(UNREGISTER, cuMemHostUnregister(spare_registered))                                               \
  X(COPY, cuMemcpyHtoD(memory, host, 16))                                                            \
  X(COPY_BACK, cuMemcpyDtoH(host, memory, 16))                                                       \
  X(COPY_ON_DEVICE, cuMemcpyDtoD(memory, memory + 64, 16))                                           \
  X(COPY_ROWS, cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 4, 4)}))                                 \
  X(COPY_TO_ARRAY, cuMemcpyHtoA(array, 0, host, 16))                                                 \
  X(COPY_ASIDE, cuMemcpyHtoDAsync(memory, host, 16, aside))                                          \
  X(COPY_BY_DEFAULT, cuMemcpyHtoDAsync(memory, host, 16, NULL))                                      \
  X(FILL, cuMemsetD8(memory, 0, 16))                                                                 \
  X(FILL_ASIDE, cuMemsetD8Async(memory, 0, 16, aside))                                               \
  X(FILL_BY_DEFAULT, cuMemsetD8Async(memory, 0, 16, NULL))                                           \
  X(LAUNCH_ASIDE, cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, aside, parameters, 0))                  \
  X(LAUNCH, cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, 0))                         \
  X(CALL_ASIDE, cuLaunchHostFunc(aside, run_nothing, NULL))                                          \
  X(CALL_BY_DEFAULT, cuLaunchHostFunc(NULL, run_nothing, NULL))                                      \
  X(CALL_BACK_ASIDE, cuStreamAddCallback(aside, call_nothing, NULL, 0))                              \
  X(CALL_BACK_CAPTURED, cuStreamAddCallback(to_capture, call_nothing, NULL, 0))                      \
  X(RUN_GRAPH_ASIDE, cuGraphLaunch(executable, aside))                                               \
  X(RUN_GRAPH, cuGraphLaunch(executable, NULL))                                                      \
  X(RUN_GRAPH_CAPTURED, cuGraphLaunch(executable, to_capture))                                       \
  X(UPLOAD, cuGraphUpload(executable, aside))                                                        \
  X(UPLOAD_CAPTURED, cuGraphUpload(executable, to_capture))                                          \
  X(INSTANTIATE, cuGraphInstantiate(&an_executable, graph, 0))                                       \
  X(MAKE_GRAPH, cuGraphCreate(&a_graph, 0))                                                          \
  X(DESTROY_GRAPH, cuGraphDestroy(spare_graph))                                                      \
  X(DESTROY_EXECUTABLE, cuGraphExecDestroy(executable))                                              \
  X(WAIT, cuCtxSynchronize())                                                                        \
  X(WAIT_ASIDE, cuStreamSynchronize(aside))                                                          \
  X(WAIT_BY_DEFAULT, cuStreamSynchronize(NULL))                                                      \
  X(WAIT_CAPTURED, cuStreamSynchronize(to_capture))                                                  \
  X(WAIT_EVENT, cuEventSynchronize(event))                                                           \
  X(QUERY_ASIDE, cuStreamQuery(aside))                                                               \
  X(QUERY_DEFAULT, cuStreamQuery(NULL))                                                              \
  X(QUERY_CAPTURED, cuStreamQuery(to_capture))                                                       \
  X(QUERY_EVENT, cuEventQuery(event))                                                                \
  X(TIME_EVENTS, cuEventElapsedTime(&a_float, event, event))                                         \
  X(RECORD_ASIDE, cuEventRecord(unrecorded, aside))                                                  \
  X(RECORD_BY_DEFAULT, cuEventRecord(unrecorded, NULL))                                              \
  X(ORDER_ASIDE, cuStreamWaitEvent(aside, event, 0))                                                 \
  X(ORDER_DEFAULT, cuStreamWaitEvent(NULL, event, 0))                                                \
  X(MAKE_STREAM, cuStreamCreate(&a_stream, 0))                                                       \
  X(DESTROY_STREAM, cuStreamDestroy(spare_stream))                                                   \
  X(DESTROY_CAPTURED, cuStreamDestroy(to_capture))                                                   \
  X(MAKE_EVENT, cuEventCreate(&an_event, 0))                                                         \
  X(DESTROY_EVENT, cuEventDestroy(spare_event))                                                      \
  X(LOAD, cuModuleLoadData(&a_module, ptx))                                                          \
  X(UNLOAD, cuModuleUnload(spare_module))                                                            \
  X(LOAD_LIBRARY, cuLibraryLoadData(&a_library, ptx, NULL, NULL, 0, NULL, NULL, 0))                  \
  X(UNLOAD_LIBRARY, cuLibraryUnload(spare_library))                                                  \
  X(MAKE_ARRAY, cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){small_array}))                    \
  X(DESTROY_ARRAY, cuArrayDestroy(spare_array))                                                      \
  X(MAKE_TEXTURE, make_texture())                                                                    \
  X(DESTROY_TEXTURE, cuTexObjectDestroy(spare_texture))                                              \
  X(MAKE_POOL, cuMemPoolCreate(&a_pool, (CUmemPoolProps[]){of_device(0)}))                           \
  X(DESTROY_POOL, cuMemPoolDestroy(spare_pool))                                                      \
  X(TRIM_POOL, cuMemPoolTrimTo(pool, 0))                                                             \
  X(MAKE_MEMORY, cuMemCreate(&a_handle, 2 << 20, (CUmemAllocationProp[]){physical(0)}, 0))           \
  X(RESERVE, cuMemAddressReserve(&a_pointer, 2 << 20, 0, 0, 0))                                      \
  X(SET_LIMIT, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048))                                             \
  X(GET_LIMIT, cuCtxGetLimit(&a_size, CU_LIMIT_STACK_SIZE))                                          \
  X(FREE_ROOM, cuMemGetInfo(&a_size, &another_size))                                                 \
  X(ATTRIBUTE, cuFuncGetAttribute(&a_number, CU_FUNC_ATTRIBUTE_NUM_REGS, store))                     \
  X(SET_ATTRIBUTE, cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024)) \
  X(ADVISE, cuMemAdvise(managed, ALLOCATED, CU_MEM_ADVISE_SET_READ_MOSTLY, here))                    \
  X(PREFETCH_ASIDE, cuMemPrefetchAsync(managed, ALLOCATED, here, 0, aside))                          \
  X(PREFETCH_CAPTURED, cuMemPrefetchAsync(managed, ALLOCATED, here, 0, to_capture))                  \
  X(ATTACH_ASIDE, cuStreamAttachMemAsync(aside, managed, 0, CU_MEM_ATTACH_GLOBAL))                   \
  X(CAPTURES, cuStreamIsCapturing(NULL, &a_status))                                                  \
  X(LINK, cuLinkCreate(0, NULL, NULL, &a_link))

static const CUDA_ARRAY_DESCRIPTOR small_array = {
    .Width = 16, .Height = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
static CUresult make_texture(void) {
  CUDA_RESOURCE_DESC from = of_array(array);
  CUDA_TEXTURE_DESC plain = {0};
  return cuTexObjectCreate(&a_texture, &from, &plain, NULL);
}

#endif
