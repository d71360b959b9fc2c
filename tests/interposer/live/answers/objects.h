/* What the cases of a table of answers work on: one object of each kind, some that are gone, and room for
 * results. */
#ifndef WEDJAT_LIVE_ANSWERS_OBJECTS_H
#define WEDJAT_LIVE_ANSWERS_OBJECTS_H

#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#define ALLOCATED 4096
#ifndef CUDA_ARRAY3D_CUBEMAP /* a macro of cuda.h */
#define CUDA_ARRAY3D_CUBEMAP 4
#endif

#define SM_90 ".version 8.0\n.target sm_90\n.address_size 64\n"
static const char* const ptx = SM_90
    ".visible .global .align 4 .u32 word;\n"
    ".visible .entry store(.param .u64 to) {\n  .reg .b64 %d;\n  ld.param.u64 %d, [to];\n"
    "  st.global.u32 [%d], 7;\n  ret;\n}\n"
    ".visible .entry bounded(.param .u64 to) .maxntid 64 {\n  ret;\n}\n"
    ".visible .entry clustered() .reqnctapercluster 2 {\n  ret;\n}\n";

static CUdevice device;
static CUcontext context;
static CUmodule module;
static CUfunction store, bounded, clustered;
static CUdeviceptr memory, freed, managed, word;
static size_t word_bytes;
static char host[ALLOCATED];
static void *pinned, *not_pinned;
static CUstream stream;
static CUevent event, unrecorded, untimed;
static CUarray array, volume, layered;
static CUmipmappedArray mipmapped;
static CUgraph graph;
static CUgraphNode empty_node, memset_node;
static CUgraphExec executable;
static CUmemoryPool pool;
static CUlibrary library;
static CUkernel library_kernel;
static CUtexObject texture;
static CUsurfObject surface;

/* For calls that do away with one. */
static CUdeviceptr spare_managed, spare_for_stream;
static void *spare_pinned, *spare_registered;
static CUmodule spare_module;
static CUlibrary spare_library;
static CUstream spare_stream;
static CUevent spare_event;
static CUgraph spare_graph;
static CUarray spare_array;
static CUtexObject spare_texture;
static CUsurfObject spare_surface;
static CUmemoryPool spare_pool;

/* Room for results. */
static CUdeviceptr a_pointer;
static size_t a_size, another_size;
static int a_number, another_number;
static unsigned a_word;
static unsigned long long an_id;
static float a_float;
static void* an_address;
static char a_name[64];
static const char* a_text;
static CUuuid an_uuid;
static CUcontext a_context;
static CUmodule a_module;
static CUfunction a_function;
static CUstream a_stream;
static CUevent an_event;
static CUarray an_array;
static CUmipmappedArray a_mipmapped;
static CUgraph a_graph;
static CUgraphNode a_node;
static CUgraphExec an_executable;
static CUmemoryPool a_pool;
static CUlibrary a_library;
static CUkernel a_kernel;
static CUlinkState a_link;
static CUtexObject a_texture;
static CUsurfObject a_surface;
static CUmemGenericAllocationHandle a_handle;
static CUpointer_attribute an_attribute;
static CUstreamCaptureStatus a_status;
static CUtensorMap a_map;
static CUresult an_error;

static void* parameters[] = {&memory};

static CUDA_ARRAY_DESCRIPTOR flat(size_t width, size_t height, CUarray_format format, unsigned channels) {
  return (CUDA_ARRAY_DESCRIPTOR){.Width = width, .Height = height, .Format = format, .NumChannels = channels};
}
static CUDA_ARRAY3D_DESCRIPTOR deep(size_t width, size_t height, size_t depth, unsigned flags) {
  return (CUDA_ARRAY3D_DESCRIPTOR){.Width = width,
                                   .Height = height,
                                   .Depth = depth,
                                   .Format = CU_AD_FORMAT_FLOAT,
                                   .NumChannels = 1,
                                   .Flags = flags};
}
static CUDA_RESOURCE_DESC of_array(CUarray from) {
  return (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = from};
}
static CUDA_RESOURCE_DESC of_memory(CUdeviceptr from, size_t bytes) {
  return (CUDA_RESOURCE_DESC){
      .resType = CU_RESOURCE_TYPE_LINEAR,
      .res.linear = {.devPtr = from, .format = CU_AD_FORMAT_FLOAT, .numChannels = 1, .sizeInBytes = bytes}};
}
static CUDA_MEMCPY2D box(CUdeviceptr to, size_t pitch, size_t width, size_t height) {
  return (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                         .srcHost = host,
                         .srcPitch = 64,
                         .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                         .dstDevice = to,
                         .dstPitch = pitch,
                         .WidthInBytes = width,
                         .Height = height};
}
static CUDA_MEMCPY2D box_of_array(CUarray to, size_t x, size_t width, size_t height) {
  return (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                         .srcHost = host,
                         .srcPitch = 64,
                         .dstXInBytes = x,
                         .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                         .dstArray = to,
                         .WidthInBytes = width,
                         .Height = height};
}
static CUDA_KERNEL_NODE_PARAMS launch_of(CUfunction function, unsigned threads) {
  return (CUDA_KERNEL_NODE_PARAMS){.func = function,
                                   .gridDimX = 1,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = threads,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .kernelParams = parameters};
}
static CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr to, unsigned element, size_t width) {
  return (CUDA_MEMSET_NODE_PARAMS){.dst = to, .elementSize = element, .width = width, .height = 1};
}
static CUlaunchConfig configured(unsigned threads, CUstream on) {
  return (CUlaunchConfig){.gridDimX = 1,
                          .gridDimY = 1,
                          .gridDimZ = 1,
                          .blockDimX = threads,
                          .blockDimY = 1,
                          .blockDimZ = 1,
                          .hStream = on};
}
static CUmemPoolProps of_device(int number) {
  return (CUmemPoolProps){.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                          .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = number}};
}
static CUmemAllocationProp physical(int number) {
  return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                               .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = number}};
}
static const CUmemLocation here = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0},
                           nowhere = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 9};

/* 0, or the line that failed. */
#define MAKE(call) \
  if ((call) != CUDA_SUCCESS) return __LINE__
static int make_spares(void) {
  CUDA_ARRAY_DESCRIPTOR small = flat(16, 16, CU_AD_FORMAT_FLOAT, 1);
  CUDA_RESOURCE_DESC from = of_array(array), layers_of = of_array(layered);
  CUDA_TEXTURE_DESC plain = {0};
  CUmemPoolProps props = of_device(0);
  MAKE(cuMemAllocManaged(&spare_managed, ALLOCATED, CU_MEM_ATTACH_GLOBAL));
  MAKE(cuMemAllocAsync(&spare_for_stream, ALLOCATED, stream));
  MAKE(cuMemHostAlloc(&spare_pinned, ALLOCATED, 0));
  spare_registered = aligned_alloc(ALLOCATED, ALLOCATED);
  MAKE(cuMemHostRegister(spare_registered, ALLOCATED, 0));
  MAKE(cuModuleLoadData(&spare_module, ptx));
  MAKE(cuLibraryLoadData(&spare_library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  MAKE(cuStreamCreate(&spare_stream, 0));
  MAKE(cuEventCreate(&spare_event, 0));
  MAKE(cuGraphCreate(&spare_graph, 0));
  MAKE(cuArrayCreate(&spare_array, &small));
  MAKE(cuTexObjectCreate(&spare_texture, &from, &plain, NULL));
  MAKE(cuSurfObjectCreate(&spare_surface, &layers_of));
  MAKE(cuMemPoolCreate(&spare_pool, &props));
  MAKE(cuMemFree(freed)); /* last: no other object takes its place */
  return 0;
}
static int make_objects(void) {
  CUDA_ARRAY_DESCRIPTOR small = flat(16, 16, CU_AD_FORMAT_FLOAT, 1);
  CUDA_ARRAY3D_DESCRIPTOR cube = deep(4, 4, 4, 0),
                          layers = deep(16, 16, 2, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST),
                          levels = deep(16, 16, 0, 0);
  CUDA_TEXTURE_DESC plain = {0};
  MAKE(cuInit(0));
  MAKE(cuDeviceGet(&device, 0));
  MAKE(cuCtxCreate(&context, NULL, 0, device));
  MAKE(cuModuleLoadData(&module, ptx));
  MAKE(cuModuleGetFunction(&store, module, "store"));
  MAKE(cuModuleGetFunction(&bounded, module, "bounded"));
  MAKE(cuModuleGetFunction(&clustered, module, "clustered"));
  MAKE(cuModuleGetGlobal(&word, &word_bytes, module, "word"));
  MAKE(cuMemAlloc(&memory, ALLOCATED));
  MAKE(cuMemAlloc(&freed, ALLOCATED));
  MAKE(cuMemAllocManaged(&managed, ALLOCATED, CU_MEM_ATTACH_GLOBAL));
  MAKE(cuMemHostAlloc(&pinned, ALLOCATED, 0));
  not_pinned = malloc(ALLOCATED);
  MAKE(cuStreamCreate(&stream, 0));
  MAKE(cuEventCreate(&event, 0));
  MAKE(cuEventRecord(event, stream));
  MAKE(cuEventCreate(&unrecorded, 0));
  MAKE(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  MAKE(cuEventRecord(untimed, stream));
  MAKE(cuArrayCreate(&array, &small));
  MAKE(cuArray3DCreate(&volume, &cube));
  MAKE(cuArray3DCreate(&layered, &layers));
  MAKE(cuMipmappedArrayCreate(&mipmapped, &levels, 3));
  MAKE(cuGraphCreate(&graph, 0));
  MAKE(cuGraphAddEmptyNode(&empty_node, graph, NULL, 0));
  CUDA_MEMSET_NODE_PARAMS fill = fill_of(memory, 4, 4);
  MAKE(cuGraphAddMemsetNode(&memset_node, graph, NULL, 0, &fill, context));
  MAKE(cuGraphInstantiate(&executable, graph, 0));
  CUmemPoolProps props = of_device(0);
  MAKE(cuMemPoolCreate(&pool, &props));
  MAKE(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  MAKE(cuLibraryGetKernel(&library_kernel, library, "store"));
  CUDA_RESOURCE_DESC from = of_array(array), layers_of = of_array(layered);
  MAKE(cuTexObjectCreate(&texture, &from, &plain, NULL));
  MAKE(cuSurfObjectCreate(&surface, &layers_of));
  MAKE(cuCtxSynchronize());
  return make_spares();
}

#endif
