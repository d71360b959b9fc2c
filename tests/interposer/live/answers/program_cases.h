/* Calls about the device, contexts, code and launches that are wrong, or nearly so. */
#define CONTEXT_CASES(X)                                                                \
  X(cuInit(1))                                                                          \
  X(cuDriverGetVersion(NULL))                                                           \
  X(cuDeviceGetCount(NULL))                                                             \
  X(cuDeviceGet(NULL, 0))                                                               \
  X(cuDeviceGet(&a_number, 99))                                                         \
  X(cuDeviceGet(&a_number, -1))                                                         \
  X(cuDeviceGetName(NULL, 64, device))                                                  \
  X(cuDeviceGetName(a_name, 0, device))                                                 \
  X(cuDeviceGetName(a_name, 4, device))                                                 \
  X(cuDeviceGetName(a_name, -1, device))                                                \
  X(cuDeviceGetName(a_name, 64, 99))                                                    \
  X(cuDeviceGetUuid(NULL, device))                                                      \
  X(cuDeviceGetUuid(&an_uuid, 99))                                                      \
  X(cuDeviceTotalMem(NULL, device))                                                     \
  X(cuDeviceTotalMem(&a_size, 99))                                                      \
  X(cuDeviceGetAttribute(NULL, 1, device))                                              \
  X(cuDeviceGetAttribute(&a_number, 0, device))                                         \
  X(cuDeviceGetAttribute(&a_number, 9999, device))                                      \
  X(cuDeviceGetAttribute(&a_number, 1, 99))                                             \
  X(cuDeviceGetPCIBusId(a_name, 64, 99))                                                \
  X(cuDeviceGetPCIBusId(NULL, 64, device))                                              \
  X(cuDeviceGetByPCIBusId(&a_number, "nonsense"))                                       \
  X(cuDeviceGetByPCIBusId(&a_number, NULL))                                             \
  X(cuDeviceCanAccessPeer(&a_number, 0, 0))                                             \
  X(cuDeviceCanAccessPeer(&a_number, 0, 99))                                            \
  X(cuDeviceCanAccessPeer(NULL, 0, 0))                                                  \
  X(cuDeviceGetP2PAttribute(&a_number, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0)) \
  X(cuDevicePrimaryCtxRetain(NULL, device))                                             \
  X(cuDevicePrimaryCtxRetain(&a_context, 99))                                           \
  X(cuDevicePrimaryCtxRelease(device))                                                  \
  X(cuDevicePrimaryCtxRelease(99))                                                      \
  X(cuDevicePrimaryCtxSetFlags(device, 0x100))                                          \
  X(cuDevicePrimaryCtxGetState(device, NULL, &a_number))                                \
  X(cuDevicePrimaryCtxReset(99))                                                        \
  X(cuCtxCreate(NULL, NULL, 0, device))                                                 \
  X(cuCtxCreate(&a_context, NULL, 0x10000, device))                                     \
  X(cuCtxCreate(&a_context, NULL, 0, 99))                                               \
  X(cuCtxDestroy(NULL))                                                                 \
  X(cuCtxPushCurrent(NULL))                                                             \
  X(cuCtxSetCurrent(NULL))                                                              \
  X(cuCtxGetCurrent(NULL))                                                              \
  X(cuCtxGetDevice(NULL))                                                               \
  X(cuCtxGetApiVersion(context, NULL))                                                  \
  X(cuCtxGetApiVersion(NULL, &a_word))                                                  \
  X(cuCtxGetLimit(&a_size, 99))                                                         \
  X(cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE))                                           \
  X(cuCtxSetLimit(99, 1))                                                               \
  X(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)1 << 40))                                \
  X(cuCtxGetCacheConfig(NULL))                                                          \
  X(cuCtxSetCacheConfig(99))                                                            \
  X(cuCtxGetStreamPriorityRange(NULL, NULL))                                            \
  X(cuCtxGetFlags(NULL))                                                                \
  X(cuCtxEnablePeerAccess(context, 0))                                                  \
  X(cuCtxEnablePeerAccess(context, 1))                                                  \
  X(cuCtxEnablePeerAccess(NULL, 0))                                                     \
  X(cuCtxDisablePeerAccess(context))                                                    \
  X(cuGetErrorName(9999, &a_text))                                                      \
  X(cuGetErrorName(0, NULL))                                                            \
  X(cuGetErrorString(9999, &a_text))                                                    \
  X(cuGetProcAddress("cuMemAlloc", NULL, 13000, 0, NULL))                               \
  X(cuGetProcAddress(NULL, &an_address, 13000, 0, NULL))                                \
  X(cuGetProcAddress("cuNothing", &an_address, 13000, 0, NULL))                         \
  X(cuGetProcAddress("cuMemAlloc", &an_address, 13000, 99, NULL))                       \
  X(cuGetProcAddress("cuMemAlloc", &an_address, 1, 0, NULL))                            \
  X(cuGetExportTable((const void**)&an_address, NULL))                                  \
  X(cuGetExportTable((const void**)&an_address, &an_uuid))
#define CODE_CASES(X)                                                                           \
  X(cuModuleLoadData(NULL, ptx))                                                                \
  X(cuModuleLoadData(&a_module, NULL))                                                          \
  X(cuModuleLoadData(&a_module, ""))                                                            \
  X(cuModuleLoadData(&a_module, "no code at all"))                                              \
  X(cuModuleLoadData(&a_module,                                                                 \
                     "\x7f"                                                                     \
                     "ELF\x02\x01\x01"))                                                        \
  X(cuModuleLoadData(&a_module, ".version 8.0\n.target sm_90\nnonsense"))                       \
  X(cuModuleLoadData(&a_module, ".version 99.0\n.target sm_90\n.address_size 64\n"))            \
  X(cuModuleLoadData(&a_module, ".version 8.0\n.target sm_999\n.address_size 64\n"))            \
  X(cuModuleLoadData(&a_module, ".version 8.7\n.target sm_100\n.address_size 64\n"))            \
  X(cuModuleLoadData(&a_module, SM_90 ".extern .func f;\n.entry e() { call f; ret; }\n"))       \
  X(cuModuleLoadData(&a_module, SM_90))                                                         \
  X(cuModuleLoad(&a_module, "/nowhere/at/all.ptx"))                                             \
  X(cuModuleLoad(&a_module, NULL))                                                              \
  X(cuModuleLoad(&a_module, "/dev/null"))                                                       \
  X(cuModuleLoadFatBinary(&a_module, ptx))                                                      \
  X(cuModuleLoadDataEx(&a_module, ptx, 1, NULL, NULL))                                          \
  X(cuModuleUnload(NULL))                                                                       \
  X(cuModuleGetFunction(&a_function, module, "nobody"))                                         \
  X(cuModuleGetFunction(&a_function, module, NULL))                                             \
  X(cuModuleGetFunction(&a_function, module, ""))                                               \
  X(cuModuleGetFunction(&a_function, module, "word"))                                           \
  X(cuModuleGetFunction(NULL, module, "store"))                                                 \
  X(cuModuleGetFunction(&a_function, NULL, "store"))                                            \
  X(cuModuleGetGlobal(&a_pointer, &a_size, module, "nobody"))                                   \
  X(cuModuleGetGlobal(&a_pointer, &a_size, module, "store"))                                    \
  X(cuModuleGetGlobal(NULL, NULL, module, "word"))                                              \
  X(cuModuleGetGlobal(&a_pointer, &a_size, module, NULL))                                       \
  X(cuModuleGetFunctionCount(NULL, module))                                                     \
  X(cuModuleEnumerateFunctions(NULL, 1, module))                                                \
  X(cuModuleEnumerateFunctions(&a_function, 0, module))                                         \
  X(cuFuncGetAttribute(&a_number, 99, store))                                                   \
  X(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, store))                                \
  X(cuFuncGetAttribute(&a_number, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL))                            \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_NUM_REGS, 16))                                  \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024))     \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 * 1024 + 1)) \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1))             \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101))         \
  X(cuFuncSetAttribute(store, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -2))          \
  X(cuFuncSetCacheConfig(store, 99))                                                            \
  X(cuFuncSetCacheConfig(NULL, 0))                                                              \
  X(cuFuncGetModule(NULL, store))                                                               \
  X(cuFuncGetName(NULL, store))                                                                 \
  X(cuFuncGetName(&a_text, NULL))                                                               \
  X(cuFuncGetParamInfo(store, 0, &a_size, NULL))                                                \
  X(cuFuncGetParamInfo(store, 1, &a_size, &another_size))                                       \
  X(cuFuncGetParamInfo(store, 0, NULL, &a_size))                                                \
  X(cuFuncIsLoaded(NULL, store))                                                                \
  X(cuFuncLoad(NULL))                                                                           \
  X(cuLibraryLoadData(NULL, ptx, NULL, NULL, 0, NULL, NULL, 0))                                 \
  X(cuLibraryLoadData(&a_library, NULL, NULL, NULL, 0, NULL, NULL, 0))                          \
  X(cuLibraryLoadData(&a_library, "no code at all", NULL, NULL, 0, NULL, NULL, 0))              \
  X(cuLibraryLoadFromFile(&a_library, "/nowhere/at/all.ptx", NULL, NULL, 0, NULL, NULL, 0))     \
  X(cuLibraryUnload(NULL))                                                                      \
  X(cuLibraryGetKernel(&a_kernel, library, "nobody"))                                           \
  X(cuLibraryGetKernel(NULL, library, "store"))                                                 \
  X(cuLibraryGetKernel(&a_kernel, NULL, "store"))                                               \
  X(cuLibraryGetModule(NULL, library))                                                          \
  X(cuLibraryGetGlobal(&a_pointer, &a_size, library, "nobody"))                                 \
  X(cuLibraryGetManaged(&a_pointer, &a_size, library, "word"))                                  \
  X(cuLibraryGetUnifiedFunction(&an_address, library, "store"))                                 \
  X(cuKernelGetFunction(NULL, library_kernel))                                                  \
  X(cuKernelGetFunction(&a_function, NULL))                                                     \
  X(cuKernelGetAttribute(&a_number, 99, library_kernel, device))                                \
  X(cuKernelGetAttribute(&a_number, 0, library_kernel, 99))                                     \
  X(cuKernelGetName(NULL, library_kernel))                                                      \
  X(cuLinkCreate(0, NULL, NULL, NULL))                                                          \
  X(cuLinkAddData(NULL, CU_JIT_INPUT_PTX, (void*)ptx, strlen(ptx) + 1, "a", 0, NULL, NULL))     \
  X(cuLinkComplete(NULL, &an_address, &a_size))                                                 \
  X(cuLinkDestroy(NULL))                                                                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, store, 64, 0))                            \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, NULL, 64, 0))                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, store, 0, 0))                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, store, -1, 0))                       \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, store, 2048, 0))                     \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, bounded, 128, 0))                    \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor(&a_number, store, 64, 1 << 20))                 \
  X(cuOccupancyMaxPotentialBlockSize(NULL, &a_number, store, NULL, 0, 0))                       \
  X(cuOccupancyMaxPotentialBlockSize(&a_number, &another_number, NULL, NULL, 0, 0))             \
  X(cuOccupancyAvailableDynamicSMemPerBlock(NULL, store, 1, 64))                                \
  X(cuOccupancyAvailableDynamicSMemPerBlock(&a_size, store, 0, 64))
#define LAUNCH_CASES(X)                                                                             \
  X(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL))                            \
  X(cuLaunchKernel(store, 0, 1, 1, 1, 1, 1, 0, stream, parameters, NULL))                           \
  X(cuLaunchKernel(store, 1, 1, 1, 0, 1, 1, 0, stream, parameters, NULL))                           \
  X(cuLaunchKernel(store, 1, 65536, 1, 1, 1, 1, 0, stream, parameters, NULL))                       \
  X(cuLaunchKernel(store, 1, 1, 65536, 1, 1, 1, 0, stream, parameters, NULL))                       \
  X(cuLaunchKernel(store, 0x80000000u, 1, 1, 1, 1, 1, 0, stream, parameters, NULL))                 \
  X(cuLaunchKernel(store, 1, 1, 1, 1025, 1, 1, 0, stream, parameters, NULL))                        \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 65, 0, stream, parameters, NULL))                          \
  X(cuLaunchKernel(store, 1, 1, 1, 32, 64, 1, 0, stream, parameters, NULL))                         \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 48 * 1024, stream, parameters, NULL))                   \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 48 * 1024 + 1, stream, parameters, NULL))               \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL))                                 \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, (CUstream)host, parameters, NULL))                   \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, parameters, (void*[]){CU_LAUNCH_PARAM_END})) \
  X(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, NULL, (void*[]){CU_LAUNCH_PARAM_END}))       \
  X(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, stream, parameters, NULL))                        \
  X(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL))                        \
  X(cuLaunchKernel(clustered, 3, 1, 1, 1, 1, 1, 0, stream, NULL, NULL))                             \
  X(cuLaunchKernel(clustered, 2, 1, 1, 1, 1, 1, 0, stream, NULL, NULL))                             \
  X(cuLaunchKernel((CUfunction)library_kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL))      \
  X(cuLaunchKernelEx(NULL, store, parameters, NULL))                                                \
  X(cuLaunchKernelEx((CUlaunchConfig[]){configured(1025, stream)}, store, parameters, NULL))        \
  X(cuLaunchKernelEx((CUlaunchConfig[]){configured(1, stream)}, NULL, parameters, NULL))            \
  X(cuLaunchCooperativeKernel(store, 100000, 1, 1, 32, 1, 1, 0, stream, parameters))                \
  X(cuLaunchCooperativeKernel(store, 1, 1, 1, 32, 1, 1, 0, stream, parameters))                     \
  X(cuLaunchHostFunc(stream, NULL, NULL))                                                           \
  X(cuLaunchHostFunc((CUstream)host, NULL, NULL))
