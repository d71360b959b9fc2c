/* Calls about streams, events, graphs, arrays and textures that are wrong, or nearly so. */
#define STREAM_CASES(X)                                                        \
  X(cuStreamCreate(NULL, 0))                                                   \
  X(cuStreamCreate(&a_stream, 99))                                             \
  X(cuStreamCreateWithPriority(&a_stream, 0, 99))                              \
  X(cuStreamCreateWithPriority(&a_stream, 99, 0))                              \
  X(cuStreamDestroy(NULL))                                                     \
  X(cuStreamDestroy(CU_STREAM_LEGACY))                                         \
  X(cuStreamSynchronize((CUstream)host))                                       \
  X(cuStreamQuery((CUstream)host))                                             \
  X(cuStreamGetFlags(stream, NULL))                                            \
  X(cuStreamGetPriority(stream, NULL))                                         \
  X(cuStreamGetCtx(stream, NULL))                                              \
  X(cuStreamGetId(stream, NULL))                                               \
  X(cuStreamWaitEvent(stream, NULL, 0))                                        \
  X(cuStreamWaitEvent(stream, event, 99))                                      \
  X(cuStreamWaitEvent(stream, unrecorded, 0))                                  \
  X(cuStreamAddCallback(stream, NULL, NULL, 0))                                \
  X(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_GLOBAL))           \
  X(cuStreamAttachMemAsync(stream, managed, 0, 99))                            \
  X(cuStreamBeginCapture(NULL, 0))                                             \
  X(cuStreamBeginCapture(stream, 99))                                          \
  X(cuStreamEndCapture(stream, &a_graph))                                      \
  X(cuStreamEndCapture(stream, NULL))                                          \
  X(cuStreamIsCapturing(stream, NULL))                                         \
  X(cuStreamIsCapturing(NULL, &a_status))                                      \
  X(cuStreamWriteValue32(stream, memory + 2, 1, 0))                            \
  X(cuStreamWriteValue32(stream, freed, 1, 0))                                 \
  X(cuStreamWriteValue32(stream, 0, 1, 0))                                     \
  X(cuStreamWriteValue64(stream, memory + 4, 1, 0))                            \
  X(cuStreamWaitValue32(stream, memory, 0, CU_STREAM_WAIT_VALUE_GEQ | 0x1000)) \
  X(cuStreamWaitValue32(stream, memory + 1, 0, CU_STREAM_WAIT_VALUE_GEQ))      \
  X(cuEventCreate(NULL, 0))                                                    \
  X(cuEventCreate(&an_event, 99))                                              \
  X(cuEventCreate(&an_event, CU_EVENT_INTERPROCESS))                           \
  X(cuEventDestroy(NULL))                                                      \
  X(cuEventRecord(NULL, stream))                                               \
  X(cuEventRecord(event, (CUstream)host))                                      \
  X(cuEventRecordWithFlags(event, stream, 99))                                 \
  X(cuEventQuery(NULL))                                                        \
  X(cuEventQuery(unrecorded))                                                  \
  X(cuEventSynchronize(NULL))                                                  \
  X(cuEventSynchronize(unrecorded))                                            \
  X(cuEventElapsedTime(NULL, event, event))                                    \
  X(cuEventElapsedTime(&a_float, event, unrecorded))                           \
  X(cuEventElapsedTime(&a_float, event, untimed))                              \
  X(cuEventElapsedTime(&a_float, event, NULL))                                 \
  X(cuEventElapsedTime(&a_float, event, event))
#define GRAPH_CASES(X)                                                                                       \
  X(cuGraphCreate(NULL, 0))                                                                                  \
  X(cuGraphCreate(&a_graph, 1))                                                                              \
  X(cuGraphDestroy(NULL))                                                                                    \
  X(cuGraphAddEmptyNode(NULL, graph, NULL, 0))                                                               \
  X(cuGraphAddEmptyNode(&a_node, NULL, NULL, 0))                                                             \
  X(cuGraphAddEmptyNode(&a_node, graph, NULL, 1))                                                            \
  X(cuGraphAddEmptyNode(&a_node, graph, (CUgraphNode[]){NULL}, 1))                                           \
  X(cuGraphAddEmptyNode(&a_node, graph, (CUgraphNode[]){empty_node, empty_node}, 2))                         \
  X(cuGraphAddKernelNode(&a_node, graph, NULL, 0, NULL))                                                     \
  X(cuGraphAddKernelNode(&a_node, graph, NULL, 0, (CUDA_KERNEL_NODE_PARAMS[]){launch_of(NULL, 1)}))          \
  X(cuGraphAddKernelNode(&a_node, graph, NULL, 0, (CUDA_KERNEL_NODE_PARAMS[]){launch_of(store, 0)}))         \
  X(cuGraphAddKernelNode(&a_node, graph, NULL, 0, (CUDA_KERNEL_NODE_PARAMS[]){launch_of(store, 1025)}))      \
  X(cuGraphAddMemsetNode(&a_node, graph, NULL, 0, NULL, context))                                            \
  X(cuGraphAddMemsetNode(&a_node, graph, NULL, 0, (CUDA_MEMSET_NODE_PARAMS[]){fill_of(memory, 3, 4)},        \
                         context))                                                                           \
  X(cuGraphAddMemsetNode(&a_node, graph, NULL, 0, (CUDA_MEMSET_NODE_PARAMS[]){fill_of(memory, 4, 0)},        \
                         context))                                                                           \
  X(cuGraphAddMemsetNode(&a_node, graph, NULL, 0, (CUDA_MEMSET_NODE_PARAMS[]){fill_of(freed, 4, 4)},         \
                         context))                                                                           \
  X(cuGraphAddMemsetNode(&a_node, graph, NULL, 0, (CUDA_MEMSET_NODE_PARAMS[]){fill_of(memory, 4, 4)}, NULL)) \
  X(cuGraphAddMemcpyNode(&a_node, graph, NULL, 0, NULL, context))                                            \
  X(cuGraphAddHostNode(&a_node, graph, NULL, 0, NULL))                                                       \
  X(cuGraphAddHostNode(&a_node, graph, NULL, 0, (CUDA_HOST_NODE_PARAMS[]){{0}}))                             \
  X(cuGraphAddChildGraphNode(&a_node, graph, NULL, 0, NULL))                                                 \
  X(cuGraphAddChildGraphNode(&a_node, graph, NULL, 0, graph))                                                \
  X(cuGraphAddEventRecordNode(&a_node, graph, NULL, 0, NULL))                                                \
  X(cuGraphAddDependencies(graph, &empty_node, &empty_node, NULL, 1))                                        \
  X(cuGraphAddDependencies(graph, &empty_node, &memset_node, NULL, 1))                                       \
  X(cuGraphAddDependencies(NULL, &empty_node, &memset_node, NULL, 1))                                        \
  X(cuGraphRemoveDependencies(graph, &memset_node, &empty_node, NULL, 1))                                    \
  X(cuGraphGetNodes(graph, NULL, NULL))                                                                      \
  X(cuGraphGetNodes(NULL, NULL, &a_size))                                                                    \
  X(cuGraphGetRootNodes(graph, NULL, NULL))                                                                  \
  X(cuGraphNodeGetType(NULL, NULL))                                                                          \
  X(cuGraphKernelNodeGetParams(empty_node, (CUDA_KERNEL_NODE_PARAMS[]){{0}}))                                \
  X(cuGraphMemsetNodeSetParams(memset_node, NULL))                                                           \
  X(cuGraphDestroyNode(NULL))                                                                                \
  X(cuGraphClone(NULL, graph))                                                                               \
  X(cuGraphClone(&a_graph, NULL))                                                                            \
  X(cuGraphInstantiate(NULL, graph, 0))                                                                      \
  X(cuGraphInstantiate(&an_executable, NULL, 0))                                                             \
  X(cuGraphInstantiate(&an_executable, graph, 0x1000))                                                       \
  X(cuGraphLaunch(NULL, stream))                                                                             \
  X(cuGraphLaunch(executable, (CUstream)host))                                                               \
  X(cuGraphExecDestroy(NULL))                                                                                \
  X(cuGraphExecKernelNodeSetParams(executable, memset_node,                                                  \
                                   (CUDA_KERNEL_NODE_PARAMS[]){launch_of(store, 1)}))                        \
  X(cuGraphExecMemsetNodeSetParams(executable, memset_node,                                                  \
                                   (CUDA_MEMSET_NODE_PARAMS[]){fill_of(memory, 1, 16)}, context))            \
  X(cuGraphExecUpdate(executable, NULL, NULL))                                                               \
  X(cuGraphUpload(NULL, stream))
#define ARRAY_CASES(X)                                                                                       \
  X(cuArrayCreate(NULL, (CUDA_ARRAY_DESCRIPTOR[]){flat(4, 4, CU_AD_FORMAT_FLOAT, 1)}))                       \
  X(cuArrayCreate(&an_array, NULL))                                                                          \
  X(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(0, 4, CU_AD_FORMAT_FLOAT, 1)}))                  \
  X(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(4, 4, CU_AD_FORMAT_FLOAT, 3)}))                  \
  X(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(4, 4, CU_AD_FORMAT_FLOAT, 0)}))                  \
  X(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(4, 4, 0, 1)}))                                   \
  X(cuArrayCreate(&an_array, (CUDA_ARRAY_DESCRIPTOR[]){flat(1 << 20, 4, CU_AD_FORMAT_FLOAT, 1)}))            \
  X(cuArray3DCreate(&an_array, NULL))                                                                        \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(4, 0, 4, 0)}))                               \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(4, 4, 0, CUDA_ARRAY3D_LAYERED)}))            \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(4, 4, 5, CUDA_ARRAY3D_CUBEMAP)}))            \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(4, 8, 6, CUDA_ARRAY3D_CUBEMAP)}))            \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(4, 4, 4, 0x10000000)}))                      \
  X(cuArray3DCreate(&an_array, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(100000, 4, 4, 0)}))                          \
  X(cuArrayDestroy(NULL))                                                                                    \
  X(cuArrayGetDescriptor(NULL, array))                                                                       \
  X(cuArray3DGetDescriptor((CUDA_ARRAY3D_DESCRIPTOR[]){{0}}, NULL))                                          \
  X(cuArrayGetPlane(&an_array, array, 0))                                                                    \
  X(cuMipmappedArrayCreate(NULL, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(16, 16, 0, 0)}, 1))                        \
  X(cuMipmappedArrayCreate(&a_mipmapped, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(16, 16, 0, 0)}, 0))                \
  X(cuMipmappedArrayCreate(&a_mipmapped, (CUDA_ARRAY3D_DESCRIPTOR[]){deep(16, 16, 0, 0)}, 99))               \
  X(cuMipmappedArrayGetLevel(&an_array, mipmapped, 3))                                                       \
  X(cuMipmappedArrayGetLevel(NULL, mipmapped, 0))                                                            \
  X(cuMipmappedArrayDestroy(NULL))                                                                           \
  X(cuTexObjectCreate(NULL, (CUDA_RESOURCE_DESC[]){of_array(array)}, (CUDA_TEXTURE_DESC[]){{0}}, NULL))      \
  X(cuTexObjectCreate(&a_texture, NULL, (CUDA_TEXTURE_DESC[]){{0}}, NULL))                                   \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)}, NULL, NULL))                      \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(NULL)}, (CUDA_TEXTURE_DESC[]){{0}}, NULL)) \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){{.resType = 99}}, (CUDA_TEXTURE_DESC[]){{0}},       \
                      NULL))                                                                                 \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)},                                   \
                      (CUDA_TEXTURE_DESC[]){{.filterMode = 99}}, NULL))                                      \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)},                                   \
                      (CUDA_TEXTURE_DESC[]){{.addressMode = {99}}}, NULL))                                   \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)},                                   \
                      (CUDA_TEXTURE_DESC[]){{.addressMode = {CU_TR_ADDRESS_MODE_WRAP}}}, NULL))              \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_array(array)},                                   \
                      (CUDA_TEXTURE_DESC[]){{.maxAnisotropy = 99}}, NULL))                                   \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_memory(memory, ALLOCATED)},                      \
                      (CUDA_TEXTURE_DESC[]){{0}}, NULL))                                                     \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_memory(memory, ALLOCATED + 1)},                  \
                      (CUDA_TEXTURE_DESC[]){{0}}, NULL))                                                     \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_memory(memory + 4, 64)},                         \
                      (CUDA_TEXTURE_DESC[]){{0}}, NULL))                                                     \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_memory(freed, 64)}, (CUDA_TEXTURE_DESC[]){{0}},  \
                      NULL))                                                                                 \
  X(cuTexObjectCreate(&a_texture, (CUDA_RESOURCE_DESC[]){of_memory(memory, 64)},                             \
                      (CUDA_TEXTURE_DESC[]){{.filterMode = CU_TR_FILTER_MODE_LINEAR}}, NULL))                \
  X(cuTexObjectDestroy(0))                                                                                   \
  X(cuTexObjectDestroy(99999))                                                                               \
  X(cuTexObjectGetResourceDesc(NULL, texture))                                                               \
  X(cuTexObjectGetTextureDesc((CUDA_TEXTURE_DESC[]){{0}}, 99999))                                            \
  X(cuSurfObjectCreate(NULL, (CUDA_RESOURCE_DESC[]){of_array(layered)}))                                     \
  X(cuSurfObjectCreate(&a_surface, (CUDA_RESOURCE_DESC[]){of_array(array)}))                                 \
  X(cuSurfObjectCreate(&a_surface, (CUDA_RESOURCE_DESC[]){of_memory(memory, 64)}))                           \
  X(cuSurfObjectDestroy(99999))                                                                              \
  X(cuTensorMapEncodeTiled(NULL, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, (cuuint64_t[]){16},      \
                           NULL, (cuuint32_t[]){16}, (cuuint32_t[]){1}, 0, 0, 0, 0))                         \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 0, (void*)memory, (cuuint64_t[]){16},    \
                           NULL, (cuuint32_t[]){16}, (cuuint32_t[]){1}, 0, 0, 0, 0))                         \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 6, (void*)memory, (cuuint64_t[]){16},    \
                           NULL, (cuuint32_t[]){16}, (cuuint32_t[]){1}, 0, 0, 0, 0))                         \
  X(cuTensorMapEncodeTiled(&a_map, 99, 1, (void*)memory, (cuuint64_t[]){16}, NULL, (cuuint32_t[]){16},       \
                           (cuuint32_t[]){1}, 0, 0, 0, 0))                                                   \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)(memory + 4),                  \
                           (cuuint64_t[]){16}, NULL, (cuuint32_t[]){16}, (cuuint32_t[]){1}, 0, 0, 0, 0))     \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, (cuuint64_t[]){16},    \
                           NULL, (cuuint32_t[]){257}, (cuuint32_t[]){1}, 0, 0, 0, 0))                        \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, (cuuint64_t[]){16},    \
                           NULL, (cuuint32_t[]){3}, (cuuint32_t[]){1}, 0, 0, 0, 0))                          \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, (cuuint64_t[]){16},    \
                           NULL, (cuuint32_t[]){16}, (cuuint32_t[]){9}, 0, 0, 0, 0))                         \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)memory,                        \
                           (cuuint64_t[]){16, 16}, (cuuint64_t[]){60}, (cuuint32_t[]){16, 16},               \
                           (cuuint32_t[]){1, 1}, 0, 0, 0, 0))                                                \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)memory,                        \
                           (cuuint64_t[]){16, 16}, (cuuint64_t[]){64}, (cuuint32_t[]){16, 16},               \
                           (cuuint32_t[]){1, 1}, 0, CU_TENSOR_MAP_SWIZZLE_32B, 0, 0))                        \
  X(cuTensorMapEncodeTiled(&a_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void*)memory, (cuuint64_t[]){0},     \
                           NULL, (cuuint32_t[]){16}, (cuuint32_t[]){1}, 0, 0, 0, 0))                         \
  X(cuTensorMapReplaceAddress(NULL, (void*)memory))                                                          \
  X(cuTensorMapReplaceAddress(&a_map, NULL))
