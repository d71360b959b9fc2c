/* Calls about memory that are wrong, or nearly so. */
#define MEMORY_CASES(X)                                                                          \
  X(cuMemAlloc(NULL, 4))                                                                         \
  X(cuMemAlloc(&a_pointer, 0))                                                                   \
  X(cuMemAlloc(&a_pointer, (size_t)1 << 40))                                                     \
  X(cuMemAlloc(&a_pointer, (size_t)-1))                                                          \
  X(cuMemAllocPitch(&a_pointer, &a_size, 0, 4, 4))                                               \
  X(cuMemAllocPitch(&a_pointer, &a_size, 16, 0, 4))                                              \
  X(cuMemAllocPitch(&a_pointer, &a_size, 16, 4, 3))                                              \
  X(cuMemAllocPitch(NULL, &a_size, 16, 4, 4))                                                    \
  X(cuMemAllocPitch(&a_pointer, NULL, 16, 4, 4))                                                 \
  X(cuMemAllocManaged(NULL, 4, CU_MEM_ATTACH_GLOBAL))                                            \
  X(cuMemAllocManaged(&a_pointer, 0, CU_MEM_ATTACH_GLOBAL))                                      \
  X(cuMemAllocManaged(&a_pointer, 4, 0))                                                         \
  X(cuMemAllocManaged(&a_pointer, 4, CU_MEM_ATTACH_SINGLE))                                      \
  X(cuMemAllocManaged(&a_pointer, 4, 99))                                                        \
  X(cuMemAllocHost(NULL, 4))                                                                     \
  X(cuMemAllocHost(&an_address, 0))                                                              \
  X(cuMemHostAlloc(NULL, 4, 0))                                                                  \
  X(cuMemHostAlloc(&an_address, 4, 0x100))                                                       \
  X(cuMemHostAlloc(&an_address, 0, 0))                                                           \
  X(cuMemFree(0))                                                                                \
  X(cuMemFree(freed))                                                                            \
  X(cuMemFree(memory + 1))                                                                       \
  X(cuMemFree(12345))                                                                            \
  X(cuMemFree((CUdeviceptr)pinned))                                                              \
  X(cuMemFree((CUdeviceptr)not_pinned))                                                          \
  X(cuMemFree(word))                                                                             \
  X(cuMemFreeHost(NULL))                                                                         \
  X(cuMemFreeHost(not_pinned))                                                                   \
  X(cuMemFreeHost((char*)pinned + 64))                                                           \
  X(cuMemFreeHost((void*)memory))                                                                \
  X(cuMemFreeAsync(freed, stream))                                                               \
  X(cuMemFreeAsync(0, stream))                                                                   \
  X(cuMemFreeAsync(memory, stream))                                                              \
  X(cuMemFreeAsync((CUdeviceptr)pinned, stream))                                                 \
  X(cuMemHostRegister(NULL, 4096, 0))                                                            \
  X(cuMemHostRegister(not_pinned, 0, 0))                                                         \
  X(cuMemHostRegister(pinned, 4096, 0))                                                          \
  X(cuMemHostRegister(not_pinned, 4096, 0x100))                                                  \
  X(cuMemHostRegister((void*)memory, 4096, 0))                                                   \
  X(cuMemHostUnregister(not_pinned))                                                             \
  X(cuMemHostUnregister(pinned))                                                                 \
  X(cuMemHostUnregister(NULL))                                                                   \
  X(cuMemHostGetDevicePointer(&a_pointer, not_pinned, 0))                                        \
  X(cuMemHostGetDevicePointer(&a_pointer, pinned, 1))                                            \
  X(cuMemHostGetDevicePointer(NULL, pinned, 0))                                                  \
  X(cuMemHostGetDevicePointer(&a_pointer, NULL, 0))                                              \
  X(cuMemHostGetFlags(&a_word, not_pinned))                                                      \
  X(cuMemHostGetFlags(NULL, pinned))                                                             \
  X(cuMemGetInfo(NULL, &a_size))                                                                 \
  X(cuMemGetInfo(&a_size, NULL))                                                                 \
  X(cuMemGetAddressRange(&a_pointer, &a_size, freed))                                            \
  X(cuMemGetAddressRange(NULL, NULL, memory))                                                    \
  X(cuMemGetAddressRange(&a_pointer, &a_size, 0))                                                \
  X(cuMemGetAddressRange(&a_pointer, &a_size, memory + ALLOCATED - 1))                           \
  X(cuMemcpy(memory, (CUdeviceptr)host, ALLOCATED + 1))                                          \
  X(cuMemcpy(memory, freed, 4))                                                                  \
  X(cuMemcpy(0, memory, 4))                                                                      \
  X(cuMemcpy(0, 0, 0))                                                                           \
  X(cuMemcpyHtoD(memory, host, ALLOCATED + 1))                                                   \
  X(cuMemcpyHtoD(memory + ALLOCATED - 1, host, 2))                                               \
  X(cuMemcpyHtoD(memory, NULL, 4))                                                               \
  X(cuMemcpyHtoD(memory, NULL, 0))                                                               \
  X(cuMemcpyHtoD(0, host, 4))                                                                    \
  X(cuMemcpyHtoD(0, host, 0))                                                                    \
  X(cuMemcpyHtoD(freed, host, 4))                                                                \
  X(cuMemcpyHtoD((CUdeviceptr)pinned, host, 4))                                                  \
  X(cuMemcpyHtoD(memory, (void*)memory, 4))                                                      \
  X(cuMemcpyDtoH(NULL, memory, 4))                                                               \
  X(cuMemcpyDtoH(host, memory, ALLOCATED + 1))                                                   \
  X(cuMemcpyDtoH(host, freed, 4))                                                                \
  X(cuMemcpyDtoH(host, 0, 4))                                                                    \
  X(cuMemcpyDtoD(memory, freed, 4))                                                              \
  X(cuMemcpyDtoD(memory, memory + 4, 4096))                                                      \
  X(cuMemcpyDtoD(memory, memory, 16))                                                            \
  X(cuMemcpyDtoD(memory, memory + 4, 16))                                                        \
  X(cuMemcpyHtoDAsync(memory, host, ALLOCATED + 1, stream))                                      \
  X(cuMemcpyHtoDAsync(memory, host, 4, (CUstream)host))                                          \
  X(cuMemcpyDtoHAsync(NULL, memory, 4, stream))                                                  \
  X(cuMemcpyDtoDAsync(freed, memory, 4, stream))                                                 \
  X(cuMemcpyPeer(memory, context, memory + 64, context, 4))                                      \
  X(cuMemcpyPeer(memory, NULL, memory + 64, context, 4))                                         \
  X(cuMemcpyHtoA(array, 0, host, 65))                                                            \
  X(cuMemcpyHtoA(array, 1, host, 4))                                                             \
  X(cuMemcpyHtoA(array, 1024, host, 4))                                                          \
  X(cuMemcpyHtoA(array, 0, host, 128))                                                           \
  X(cuMemcpyHtoA(array, 64, host, 4))                                                            \
  X(cuMemcpyHtoA(array, 60, host, 8))                                                            \
  X(cuMemcpyHtoA(array, 0, host, 62))                                                            \
  X(cuMemcpyHtoA(layered, 0, host, 4))                                                           \
  X(cuMemcpyAtoA(array, 0, array, 32, 32))                                                       \
  X(cuMemcpyHtoA(NULL, 0, host, 4))                                                              \
  X(cuMemcpyAtoH(host, array, 0, 2048))                                                          \
  X(cuMemcpyAtoH(NULL, array, 0, 4))                                                             \
  X(cuMemcpy2D(NULL))                                                                            \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 64, 64)}))                                      \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 64, 65)}))                                      \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 32, 64, 2)}))                                       \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 0, 2)}))                                        \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(memory, 64, 64, 0)}))                                       \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(freed, 64, 64, 2)}))                                        \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box(0, 64, 64, 2)}))                                            \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(array, 0, 64, 16)}))                               \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(array, 0, 64, 17)}))                               \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(array, 4, 64, 1)}))                                \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(array, 2, 4, 1)}))                                 \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(array, 0, 6, 1)}))                                 \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){box_of_array(NULL, 0, 4, 1)}))                                  \
  X(cuMemcpy2D((CUDA_MEMCPY2D[]){{.srcMemoryType = 99, .WidthInBytes = 4, .Height = 1}}))        \
  X(cuMemcpy3D(NULL))                                                                            \
  X(cuMemcpy3D((CUDA_MEMCPY3D[]){{0}}))                                                          \
  X(cuMemsetD8(0, 0, 4))                                                                         \
  X(cuMemsetD8(0, 0, 0))                                                                         \
  X(cuMemsetD8(memory, 0, ALLOCATED + 1))                                                        \
  X(cuMemsetD8(freed, 0, 4))                                                                     \
  X(cuMemsetD8((CUdeviceptr)not_pinned, 0, 4))                                                   \
  X(cuMemsetD8((CUdeviceptr)pinned, 0, 4))                                                       \
  X(cuMemsetD16(memory + 1, 0, 1))                                                               \
  X(cuMemsetD32(memory + 2, 0, 1))                                                               \
  X(cuMemsetD32(memory, 0, ALLOCATED / 4 + 1))                                                   \
  X(cuMemsetD32Async(memory, 0, 1, (CUstream)host))                                              \
  X(cuMemsetD2D8(memory, 8, 0, 16, 2))                                                           \
  X(cuMemsetD2D8(memory, 16, 0, 16, 0))                                                          \
  X(cuMemsetD2D8(memory, 64, 0, 64, 65))                                                         \
  X(cuMemsetD2D32(memory, 6, 0, 1, 2))                                                           \
  X(cuPointerGetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, freed))                   \
  X(cuPointerGetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)not_pinned)) \
  X(cuPointerGetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0))                       \
  X(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory))                       \
  X(cuPointerGetAttribute(&a_number, 0, memory))                                                 \
  X(cuPointerGetAttribute(&a_number, 999, memory))                                               \
  X(cuPointerGetAttribute(&an_address, CU_POINTER_ATTRIBUTE_HOST_POINTER, memory))               \
  X(cuPointerGetAttributes(0, &an_attribute, &an_address, memory))                               \
  X(cuPointerGetAttributes(1, NULL, &an_address, memory))                                        \
  X(cuPointerSetAttribute(NULL, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory))                       \
  X(cuPointerSetAttribute(&a_number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory))                  \
  X(cuMemAdvise(memory, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, here))                              \
  X(cuMemAdvise(managed, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, here))                                \
  X(cuMemAdvise(managed, 4096, 99, here))                                                        \
  X(cuMemAdvise(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, nowhere))                   \
  X(cuMemPrefetchAsync(managed, 4096, nowhere, 0, stream))                                       \
  X(cuMemPrefetchAsync(managed, 8192, here, 0, stream))                                          \
  X(cuMemPrefetchAsync(memory, 4096, here, 0, stream))                                           \
  X(cuMemPrefetchAsync(managed, 4096, here, 1, stream))                                          \
  X(cuMemRangeGetAttribute(&a_number, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, 4096))     \
  X(cuMemRangeGetAttribute(&a_number, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 4096))      \
  X(cuMemRangeGetAttribute(&a_number, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, managed, 4096))     \
  X(cuMemAddressReserve(&a_pointer, 0, 0, 0, 0))                                                 \
  X(cuMemAddressReserve(&a_pointer, 4096, 0, 0, 0))                                              \
  X(cuMemAddressReserve(&a_pointer, 2 << 20, 3, 0, 0))                                           \
  X(cuMemAddressReserve(&a_pointer, 2 << 20, 0, 0, 1))                                           \
  X(cuMemAddressFree(memory, ALLOCATED))                                                         \
  X(cuMemAddressFree(0, 2 << 20))                                                                \
  X(cuMemCreate(&a_handle, 0, (CUmemAllocationProp[]){physical(0)}, 0))                          \
  X(cuMemCreate(&a_handle, 4096, (CUmemAllocationProp[]){physical(0)}, 0))                       \
  X(cuMemCreate(&a_handle, 2 << 20, (CUmemAllocationProp[]){physical(9)}, 0))                    \
  X(cuMemCreate(&a_handle, 2 << 20, NULL, 0))                                                    \
  X(cuMemCreate(&a_handle, 2 << 20, (CUmemAllocationProp[]){physical(0)}, 1))                    \
  X(cuMemCreate(NULL, 2 << 20, (CUmemAllocationProp[]){physical(0)}, 0))                         \
  X(cuMemMap(memory, 2 << 20, 0, 0, 0))                                                          \
  X(cuMemUnmap(memory, ALLOCATED))                                                               \
  X(cuMemRelease(0))                                                                             \
  X(cuMemRelease(12345))                                                                         \
  X(cuMemSetAccess(memory, ALLOCATED,                                                            \
                   (CUmemAccessDesc[]){{.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE},       \
                                        .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE}},           \
                   1))                                                                           \
  X(cuMemGetAllocationGranularity(NULL, (CUmemAllocationProp[]){physical(0)}, 0))                \
  X(cuMemGetAllocationGranularity(&a_size, (CUmemAllocationProp[]){physical(0)}, 9))             \
  X(cuMemRetainAllocationHandle(&a_handle, (void*)memory))                                       \
  X(cuMemPoolCreate(NULL, (CUmemPoolProps[]){of_device(0)}))                                     \
  X(cuMemPoolCreate(&a_pool, NULL))                                                              \
  X(cuMemPoolCreate(&a_pool, (CUmemPoolProps[]){of_device(9)}))                                  \
  X(cuMemPoolCreate(&a_pool, (CUmemPoolProps[]){{0}}))                                           \
  X(cuMemPoolDestroy(NULL))                                                                      \
  X(cuMemPoolTrimTo(NULL, 0))                                                                    \
  X(cuMemPoolGetAttribute(pool, 99, &an_id))                                                     \
  X(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &an_id))                       \
  X(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, NULL))                        \
  X(cuMemAllocAsync(&a_pointer, 0, stream))                                                      \
  X(cuMemAllocAsync(NULL, 4, stream))                                                            \
  X(cuMemAllocAsync(&a_pointer, (size_t)1 << 42, stream))                                        \
  X(cuMemAllocFromPoolAsync(&a_pointer, 4, NULL, stream))                                        \
  X(cuDeviceGetMemPool(NULL, 0))                                                                 \
  X(cuDeviceGetMemPool(&a_pool, 9))                                                              \
  X(cuDeviceSetMemPool(0, NULL))
