/* Launches of all kinds, libraries, memory that is registered, pointers' attributes, levels of arrays,
 * several host threads. */
#include <pthread.h>
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 number = 41;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 together = 7;\n"
    "/* to[CTA] = 100 * size of the cluster + what the other CTA of it put into its shared memory */\n"
    ".visible .entry pairs(.param .u64 to) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<8>; .shared .align 4 .b8 own[4];\n"
    "  ld.param.u64 %d0, [to]; mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %cluster_nctarank; mov.u32 %r2, "
    "%ctaid.x;\n"
    "  mov.u32 %r3, own; add.u32 %r4, %r2, 1; st.shared.u32 [%r3], %r4;\n"
    "  barrier.cluster.arrive; barrier.cluster.wait;\n"
    "  xor.b32 %r5, %r0, 1; mapa.shared::cluster.u32 %r6, %r3, %r5; ld.shared::cluster.u32 %r7, [%r6];\n"
    "  barrier.cluster.arrive; barrier.cluster.wait;\n"
    "  mad.lo.u32 %r7, %r1, 100, %r7; mul.wide.u32 %d1, %r2, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], "
    "%r7;\n"
    "  ret;\n}\n"
    ".visible .entry count(.param .u64 to, .param .u32 by) {\n"
    "  .reg .b64 %d; .reg .b32 %r<3>;\n"
    "  ld.param.u64 %d, [to]; ld.param.u32 %r0, [by]; atom.global.add.u32 %r1, [%d], %r0;\n"
    "  atom.global.add.u32 %r2, [together], 1; ret;\n}\n";

static void clusters(CUfunction pairs) {
  unsigned got[4] = {0};
  CUdeviceptr to;
  void* arguments[] = {&to};
  CUlaunchAttribute attribute;
  CUlaunchConfig config;
  CHECK(cuMemAlloc(&to, sizeof got));
  printf("memory at %llx\n", to);
  memset(&attribute, 0, sizeof attribute);
  memset(&config, 0, sizeof config);
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cuLaunchKernelEx(&config, pairs, arguments, NULL));
  CHECK(cuMemcpyDtoH(got, to, sizeof got));
  EXPECT(got[0] == 202 && got[1] == 201 && got[2] == 204 && got[3] == 203);
  config.gridDimX = 3;
  EXPECT(cuLaunchKernelEx(&config, pairs, arguments, NULL) != CUDA_SUCCESS);
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuLaunchKernelEx(NULL, pairs, arguments, NULL));
  CHECK(cuMemFree(to));
}

static void cooperative(CUfunction count) {
  unsigned got = 0, by = 3;
  CUdeviceptr to;
  void* arguments[] = {&to, &by};
  CHECK(cuMemAlloc(&to, 4));
  CHECK(cuMemsetD32(to, 0, 1));
  CHECK(cuLaunchCooperativeKernel(count, 8, 1, 1, 32, 1, 1, 0, NULL, arguments));
  CHECK(cuMemcpyDtoH(&got, to, 4));
  EXPECT(got == 8 * 32 * 3);
  EXPECT_CODE(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
              cuLaunchCooperativeKernel(count, 1000000, 1, 1, 1024, 1, 1, 0, NULL, arguments));
  CHECK(cuMemFree(to));
}

static void libraries(void) {
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  CUdeviceptr number, managed;
  CUDA_KERNEL_NODE_PARAMS node;
  CUgraph graph;
  CUgraphNode added;
  CUgraphExec executable;
  size_t bytes = 0;
  unsigned got = 0, by = 1;
  void* arguments[] = {&number, &by};
  CHECK(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  CHECK(cuLibraryGetKernel(&kernel, library, "count"));
  EXPECT_CODE(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "absent"));
  CHECK(cuKernelGetFunction(&function, kernel));
  CHECK(cuLibraryGetGlobal(&number, &bytes, library, "number"));
  EXPECT(bytes == 4);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CHECK(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CHECK(cuMemcpyDtoH(&got, number, 4));
  EXPECT(got == 43);
  /* A node may name it as what it is. */
  memset(&node, 0, sizeof node);
  node.kern = kernel;
  node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimX = node.blockDimY = node.blockDimZ = 1;
  node.kernelParams = arguments;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddKernelNode(&added, graph, NULL, 0, &node));
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, NULL));
  CHECK(cuMemcpyDtoH(&got, number, 4));
  EXPECT(got == 44);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuLibraryGetManaged(&managed, &bytes, library, "together"));
  /* The host goes there as the device does. */
  EXPECT(bytes == 4 && *(unsigned*)managed == 10);
  CHECK(cuLibraryUnload(library));
}

static void pointers(CUfunction count) {
  static unsigned own[1024];
  unsigned by = 5, type = 0, device = 9;
  int managed = 9;
  CUdeviceptr here, of_device, both;
  void* arguments[] = {&here, &by};
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* told[] = {&type, &managed, &device};
  const unsigned mapped = 2; /* CU_MEMHOSTREGISTER_DEVICEMAP */
  CHECK(cuMemHostRegister(own, sizeof own, mapped));
  EXPECT_CODE(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own, sizeof own, 0));
  CHECK(cuMemHostGetDevicePointer(&here, own, 0));
  CHECK(cuLaunchKernel(count, 2, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CHECK(cuCtxSynchronize());
  EXPECT(own[0] == 10);
  CHECK(cuPointerGetAttributes(3, wanted, told, here));
  EXPECT(type == CU_MEMORYTYPE_HOST && managed == 0 && device == 0);
  CHECK(cuMemHostUnregister(own));
  EXPECT_CODE(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
  CHECK(cuMemAlloc(&of_device, 64));
  CHECK(cuPointerGetAttributes(3, wanted, told, of_device + 8));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && managed == 0);
  CHECK(cuMemAllocManaged(&both, 64, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuPointerGetAttributes(3, wanted, told, both));
  EXPECT(managed != 0);
  CHECK(cuMemFree(of_device));
  CHECK(cuMemFree(both));
}

static void levels(void) {
  CUDA_ARRAY3D_DESCRIPTOR description, told;
  CUmipmappedArray array;
  CUarray level;
  memset(&description, 0, sizeof description);
  description.Width = 16;
  description.Height = 8;
  description.Format = CU_AD_FORMAT_FLOAT;
  description.NumChannels = 1;
  CHECK(cuMipmappedArrayCreate(&array, &description, 4));
  CHECK(cuMipmappedArrayGetLevel(&level, array, 2));
  CHECK(cuArray3DGetDescriptor(&told, level));
  EXPECT(told.Width == 4 && told.Height == 2);
  EXPECT(cuMipmappedArrayGetLevel(&level, array, 4) != CUDA_SUCCESS);
  CHECK(cuMipmappedArrayDestroy(array));
}

struct Work {
  CUcontext context;
  CUfunction count;
  CUdeviceptr to;
};

/* Each thread has a stream and adds 1 a hundred times. */
static void* work(void* given) {
  struct Work* const mine = given;
  unsigned by = 1, i;
  void* arguments[] = {&mine->to, &by};
  CUstream stream;
  CHECK(cuCtxSetCurrent(mine->context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  for (i = 0; i < 100; ++i) CHECK(cuLaunchKernel(mine->count, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuStreamDestroy(stream));
  return NULL;
}

static void threads(CUcontext context, CUfunction count) {
  struct Work all = {context, count, 0};
  pthread_t started[4];
  unsigned got = 0, i;
  CHECK(cuMemAlloc(&all.to, 4));
  CHECK(cuMemsetD32(all.to, 0, 1));
  for (i = 0; i < 4; ++i) EXPECT(pthread_create(&started[i], NULL, work, &all) == 0);
  for (i = 0; i < 4; ++i) pthread_join(started[i], NULL);
  CHECK(cuMemcpyDtoH(&got, all.to, 4));
  EXPECT(got == 400);
  CHECK(cuMemFree(all.to));
}

int main(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction pairs, count;
  CUdeviceptr managed;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&pairs, module, "pairs"));
  CHECK(cuModuleGetFunction(&count, module, "count"));
  clusters(pairs);
  cooperative(count);
  libraries();
  pointers(count);
  levels();
  threads(context, count);
  CHECK(cuModuleGetGlobal(&managed, NULL, module, "together"));
  EXPECT(*(unsigned*)managed == 7 + 8 * 32 + 2 + 400);
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  printf("managed at %llx\n%d wrong\n", managed, wrong);
  return wrong != 0;
}
