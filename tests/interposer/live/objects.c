/* Arrays, textures, surfaces; the linker; occupancy; pools; memory at several addresses. */
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    "/* to[x + 8 y] = texel (x, y) */\n"
    ".visible .entry fetch(.param .u64 to, .param .u64 texture) {\n"
    "  .reg .b64 %d<4>; .reg .b32 %r<8>;\n"
    "  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [texture]; mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y;\n"
    "  tex.2d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r0, %r1}];\n"
    "  mad.lo.u32 %r6, %r1, 8, %r0; mul.wide.u32 %d2, %r6, 4; add.u64 %d3, %d0, %d2;\n"
    "  st.global.u32 [%d3], %r2;\n  ret;\n}\n"
    "/* texel (x, y) = 1000 + x */\n"
    ".visible .entry paint(.param .u64 surface) {\n"
    "  .reg .b64 %d0; .reg .b32 %r<5>;\n"
    "  ld.param.u64 %d0, [surface]; mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y;\n"
    "  add.u32 %r2, %r0, 1000; shl.b32 %r3, %r0, 2;\n"
    "  sust.b.2d.b32.trap [%d0, {%r3, %r1}], %r2;\n  ret;\n}\n";

enum { width = 8, height = 4, texels = width * height };

static void textures(CUmodule module) {
  CUfunction fetch, paint;
  CUDA_ARRAY_DESCRIPTOR description = {width, height, CU_AD_FORMAT_UNSIGNED_INT32, 1}, told;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC sampling;
  CUarray array;
  CUtexObject texture;
  CUsurfObject surface;
  CUdeviceptr result;
  CUDA_MEMCPY2D box;
  unsigned host[texels], got[texels], i, off = 0;
  for (i = 0; i < texels; ++i) host[i] = 7 * i;
  CHECK(cuModuleGetFunction(&fetch, module, "fetch"));
  CHECK(cuModuleGetFunction(&paint, module, "paint"));
  CHECK(cuArrayCreate(&array, &description));
  CHECK(cuArrayGetDescriptor(&told, array));
  EXPECT(memcmp(&told, &description, sizeof told) == 0);
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = host;
  box.srcPitch = 4 * width;
  box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box.dstArray = array;
  box.WidthInBytes = 4 * width;
  box.Height = height;
  CHECK(cuMemcpy2D(&box));
  box.Height = height + 1;
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&box));
  memset(&resource, 0, sizeof resource);
  memset(&sampling, 0, sizeof sampling);
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  sampling.flags = CU_TRSF_READ_AS_INTEGER;
  sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CHECK(cuTexObjectCreate(&texture, &resource, &sampling, NULL));
  CHECK(cuSurfObjectCreate(&surface, &resource));
  CHECK(cuMemAlloc(&result, sizeof got));
  {
    void* parameters[] = {&result, &texture};
    CHECK(cuLaunchKernel(fetch, 1, 1, 1, width, height, 1, 0, NULL, parameters, NULL));
  }
  CHECK(cuMemcpyDtoH(got, result, sizeof got));
  for (i = 0; i < texels; ++i) off += got[i] != 7 * i;
  EXPECT(off == 0);
  {
    void* parameters[] = {&surface};
    CHECK(cuLaunchKernel(paint, 1, 1, 1, width, height, 1, 0, NULL, parameters, NULL));
  }
  {
    CUDA_MEMCPY2D rows = {0};
    rows.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    rows.srcArray = array;
    rows.dstMemoryType = CU_MEMORYTYPE_HOST;
    rows.dstHost = got;
    rows.WidthInBytes = width * sizeof *got;
    rows.Height = height;
    CHECK(cuMemcpy2D(&rows));
  }
  for (i = 0; i < texels; ++i) off += got[i] != 1000 + i % width;
  EXPECT(off == 0);
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuTexObjectDestroy(texture)); /* as an H200 takes it */
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuArrayDestroy(array));
  CHECK(cuMemFree(result));
}

/* A function in one text, its caller in another. */
static void linker(void) {
  static char callee[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .func (.param .b32 r) twice(.param .b32 x) {\n  .reg .b32 %r<2>;\n"
      "  ld.param.u32 %r0, [x]; add.u32 %r1, %r0, %r0; st.param.b32 [r], %r1;\n  ret;\n}\n";
  static char caller[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
      ".visible .entry run(.param .u64 to) {\n  .reg .b64 %d; .reg .b32 %r;\n  ld.param.u64 %d, [to];\n"
      "  { .param .b32 x; .param .b32 r; st.param.b32 [x], 21; call (r), twice, (x); ld.param.b32 %r, [r]; "
      "}\n"
      "  st.global.u32 [%d], %r;\n  ret;\n}\n";
  CUlinkState state;
  CUmodule module;
  CUfunction run;
  CUdeviceptr to;
  void* code;
  size_t size;
  unsigned got = 0;
  void* parameters[] = {&to};
  CUjit_option limit = CU_JIT_MAX_REGISTERS;
  void* registers = (void*)(size_t)40;
  int most = 0;
  CHECK(cuLinkCreate(1, &limit, &registers, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller", 0, NULL, NULL));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, callee, sizeof callee, "callee", 0, NULL, NULL));
  CHECK(cuLinkComplete(state, &code, &size));
  CHECK(cuModuleLoadData(&module, code));
  CHECK(cuLinkDestroy(state));
  CHECK(cuModuleGetFunction(&run, module, "run"));
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_NUM_REGS, run));
  EXPECT(most > 0 && most <= 40);
  CHECK(cuMemAlloc(&to, 4));
  CHECK(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
  CHECK(cuMemcpyDtoH(&got, to, 4));
  EXPECT(got == 42);
  CHECK(cuMemFree(to));
  CHECK(cuModuleUnload(module));
}

/* A grid whose CTAs meet through what libcudadevrt.a has: that file, or, where its member's name is what
 * counts, one that has nothing else. */
static void device_runtime(const char* file) {
  static char archive[] = "!<arch>\ncuda_device_runtime.o/0           0     0     644     2         `\n\n\n";
  static char caller[] =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".extern .func (.param .b64 h) cudaCGGetIntrinsicHandle(.param .b32 s);\n"
      ".extern .func (.param .b32 e) cudaCGSynchronize(.param .b64 h, .param .b32 f);\n"
      ".extern .func (.param .b32 e) cudaCGGetSize(.param .b64 t, .param .b64 g, .param .b64 h);\n"
      ".extern .func (.param .b32 e) cudaCGGetRank(.param .b64 t, .param .b64 g, .param .b64 h);\n"
      "/* Each thread adds one; when all have, each sees how many there are: to[1 + rank] = to[0]. */\n"
      ".visible .entry meet(.param .u64 to) {\n"
      "  .reg .b64 %d<6>; .reg .b32 %r<6>; .reg .pred %wrong; .local .align 4 .b8 numbers[8];\n"
      "  ld.param.u64 %d0, [to]; mov.u64 %d1, numbers; cvta.local.u64 %d1, %d1; add.u64 %d2, %d1, 4;\n"
      "  { .param .b32 s; .param .b64 h; st.param.b32 [s], 1; call (h), cudaCGGetIntrinsicHandle, (s); "
      "ld.param.b64 %d3, [h]; }\n"
      "  atom.global.add.u32 %r0, [%d0], 1;\n"
      "  { .param .b64 h; .param .b32 f; .param .b32 e; st.param.b64 [h], %d3; st.param.b32 [f], 0; call "
      "(e), "
      "cudaCGSynchronize, (h, f); ld.param.b32 %r1, [e]; }\n"
      "  { .param .b64 t; .param .b64 g; .param .b64 h; .param .b32 e; st.param.b64 [t], %d1; st.param.b64 "
      "[g], %d2; st.param.b64 [h], %d3; call (e), cudaCGGetRank, (t, g, h); ld.param.b32 %r2, [e]; }\n"
      "  ld.u32 %r3, [%d1]; mul.wide.u32 %d4, %r3, 4; add.u64 %d5, %d0, %d4;\n"
      "  { .param .b64 t; .param .b64 g; .param .b64 h; .param .b32 e; st.param.b64 [t], %d1; st.param.b64 "
      "[g], %d2; st.param.b64 [h], %d3; call (e), cudaCGGetSize, (t, g, h); ld.param.b32 %r2, [e]; }\n"
      "  ld.u32 %r4, [%d1]; ld.volatile.global.u32 %r5, [%d0]; setp.ne.u32 %wrong, %r4, %r5;\n"
      "  @%wrong trap; st.global.u32 [%d5+4], %r5; ret;\n}\n";
  enum { threads = 3 * 2 * 40 };
  unsigned got[1 + threads] = {0}, right = 0;
  CUlinkState state;
  CUmodule module;
  CUfunction meet;
  CUdeviceptr to;
  void* code;
  size_t size;
  void* parameters[] = {&to};
  CHECK(cuLinkCreate(0, NULL, NULL, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, caller, sizeof caller, "caller", 0, NULL, NULL));
  if (file != NULL)
    CHECK(cuLinkAddFile(state, CU_JIT_INPUT_LIBRARY, file, 0, NULL, NULL));
  else
    CHECK(cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, archive, sizeof archive - 1, "libcudadevrt.a", 0, NULL,
                        NULL));
  CHECK(cuLinkComplete(state, &code, &size));
  CHECK(cuModuleLoadData(&module, code));
  CHECK(cuLinkDestroy(state));
  CHECK(cuModuleGetFunction(&meet, module, "meet"));
  CHECK(cuMemAlloc(&to, sizeof got));
  for (unsigned launch = 1; launch < 3; ++launch) {
    CHECK(cuMemsetD32(to, 0, 1));
    CHECK(cuLaunchCooperativeKernel(meet, 3, 2, 1, 40, 1, 1, 0, NULL, parameters));
    CHECK(cuMemcpyDtoH(got, to, sizeof got));
    for (unsigned i = 0; i < threads; ++i) right += got[1 + i] == threads;
    EXPECT(right == launch * threads);
  }
  CHECK(cuMemFree(to));
  CHECK(cuModuleUnload(module));
}

static void occupancy(CUmodule module) {
  CUfunction fetch;
  int count, grid, block;
  CHECK(cuModuleGetFunction(&fetch, module, "fetch"));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, fetch, 128, 0));
  EXPECT(count == 16);
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, fetch, 32, 0));
  EXPECT(count == 32);
  /* More than every device has must be allowed. */
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, fetch, 128, 100 * 1024));
  EXPECT(count == 0);
  CHECK(cuFuncSetAttribute(fetch, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100 * 1024));
  CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&count, fetch, 128, 100 * 1024));
  EXPECT(count == 2);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, fetch, NULL, 0, 0));
  EXPECT(grid == 264 && block == 1024);
  CHECK(cuFuncGetAttribute(&count, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fetch));
  EXPECT(count == 1024);
}

static void pools(void) {
  CUmemoryPool pool, current;
  CUmemPoolProps properties;
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  int descriptor = -1;
  CUdeviceptr memory;
  cuuint64_t used = 1;
  memset(&properties, 0, sizeof properties);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CHECK(cuMemPoolCreate(&pool, &properties));
  CHECK(cuMemAllocFromPoolAsync(&memory, 0, pool, NULL));
  EXPECT(memory == 0);
  CHECK(cuMemAllocFromPoolAsync(&memory, 1000, pool, NULL));
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT(used == 1000);
  CHECK(cuPointerGetAttribute(&current, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory));
  EXPECT(current == pool);
  CHECK(cuMemFreeAsync(memory, NULL));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemFreeAsync(memory, NULL));
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  EXPECT(used == 0);
  CHECK(cuDeviceGetDefaultMemPool(&current, 0));
  EXPECT(current != pool);
  CHECK(cuMemPoolDestroy(pool));
  /* What a pool lets in stays so on its way to another process. */
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CHECK(cuMemPoolCreate(&pool, &properties));
  CHECK(cuMemPoolExportToShareableHandle(&descriptor, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CHECK(cuMemPoolImportFromShareableHandle(&current, (void*)(size_t)descriptor,
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CHECK(cuMemPoolGetAccess(&flags, current, &properties.location));
  EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CHECK(cuMemPoolDestroy(current));
  CHECK(cuMemPoolDestroy(pool));
}

/* The same memory at two addresses; it keeps its contents while it lies nowhere. It is of no context. */
static void virtual_memory(void) {
  CUmemAllocationProp properties;
  CUmemAccessDesc access;
  CUmemGenericAllocationHandle handle;
  CUcontext other;
  CUdeviceptr first;
  size_t unit;
  unsigned word = 5;
  memset(&properties, 0, sizeof properties);
  memset(&access, 0, sizeof access);
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(cuMemAddressReserve(&first, 2 * unit, 0, 0, 0));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(first, &word, 4));
  CHECK(cuMemCreate(&handle, unit, &properties, 0));
  CHECK(cuMemMap(first, unit, 0, handle, 0));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemMap(first, unit, 0, handle, 0));
  CHECK(cuMemMap(first + unit, unit, 0, handle, 0));
  CHECK(cuMemSetAccess(first, 2 * unit, &access, 1));
  CHECK(cuMemcpyHtoD(first + 8, &word, 4));
  word = 0;
  CHECK(cuMemcpyDtoH(&word, first + unit + 8, 4));
  EXPECT(word == 5);
  CHECK(cuCtxCreate(&other, NULL, 0, 0));
  word = 0;
  CHECK(cuMemcpyDtoH(&word, first + 8, 4));
  EXPECT(word == 5);
  CHECK(cuCtxDestroy(other));
  CHECK(cuCtxPopCurrent(&other));
  CHECK(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(cuMemUnmap(first, 2 * unit));
  CHECK(cuMemMap(first, unit, 0, handle, 0));
  CHECK(cuCtxPushCurrent(other));
  EXPECT_CODE(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&word, first + 8, 4));
  CHECK(cuMemSetAccess(first, unit, &access, 1));
  CHECK(cuMemRelease(handle));
  word = 0;
  CHECK(cuMemcpyDtoH(&word, first + 8, 4));
  EXPECT(word == 5);
  CHECK(cuMemUnmap(first, unit));
  CHECK(cuMemAddressFree(first, 2 * unit));
}

static void copies(void) {
  CUDA_MEMCPY3D_PEER box;
  CUmemcpyAttributes attributes;
  CUstream stream;
  CUdeviceptr memory, to[2], from[2];
  unsigned words[4] = {1, 2, 3, 4}, got[4] = {0};
  size_t sizes[] = {8, 4}, first = 0;
  CHECK(cuMemAlloc(&memory, sizeof words));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = words;
  box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.dstDevice = memory;
  box.WidthInBytes = sizeof words;
  box.Height = box.Depth = 1;
  CHECK(cuMemcpy3DPeer(&box));
  CHECK(cuCtxSynchronize());
  memset(&attributes, 0, sizeof attributes);
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  to[0] = (CUdeviceptr)got;
  from[0] = memory + 8;
  to[1] = (CUdeviceptr)(got + 3);
  from[1] = memory;
  CHECK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
  CHECK(cuStreamSynchronize(stream));
  EXPECT(got[0] == 3 && got[1] == 4 && got[2] == 0 && got[3] == 1);
  CHECK(cuMemFree(memory));
}

/* With a driver of NVIDIA's: the path of libcudadevrt.a. */
int main(int argc, char** argv) {
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuModuleLoadData(&module, ptx));
  textures(module);
  linker();
  device_runtime(argc > 1 ? argv[1] : NULL);
  occupancy(module);
  pools();
  virtual_memory();
  copies();
  CHECK(cuCtxDestroy(context));
  return wrong;
}
