/* What a driver answers about code: wrong texts that are linked, loaded, kept in a library; handles of
 * kernels; conditions of graphs; how much a pool of memory holds. */
#include "tell.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define KERNEL ".visible .entry k() { ret; }\n"

static void linked(const char* name, const char* text, CUjitInputType type) {
  CUlinkState link = NULL;
  void* cubin = NULL;
  size_t size = 0;
  printf("\t%s, linked\n", name);
  cuLinkCreate(0, NULL, NULL, &link);
  code("added",
       cuLinkAddData(link, type, (void*)text, strlen(text) + (type == CU_JIT_INPUT_PTX), "a", 0, NULL, NULL));
  code("completed", cuLinkComplete(link, &cubin, &size));
  cuLinkDestroy(link);
}

static void loaded(const char* name, const char* text) {
  CUmodule module = NULL;
  CUlibrary library = NULL;
  CUkernel kernel;
  CUdeviceptr address;
  size_t size;
  unsigned count = 99;
  printf("\t%s, loaded\n", name);
  code("as a module", cuModuleLoadData(&module, text));
  code("as a library", cuLibraryLoadData(&library, text, NULL, NULL, 0, NULL, NULL, 0));
  code("kernel", cuLibraryGetKernel(&kernel, library, "k"));
  code("module", cuLibraryGetModule(&module, library));
  code("variable", cuLibraryGetGlobal(&address, &size, library, "v"));
  code("count of kernels", cuLibraryGetKernelCount(&count, library));
  number("kernels", count);
  code("unloaded", cuLibraryUnload(library));
}

static void texts(void) {
  static const char* const wrong[][2] = {
      {"right", HEAD KERNEL},
      {"an unknown instruction", HEAD ".visible .entry k() { adz.s32 1; ret; }\n"},
      {"a wrong type", HEAD ".visible .entry k() { .reg .f32 %f; .reg .u32 %r; add.u32 %r, %f, 1; ret; }\n"},
      {"two of a name", HEAD KERNEL KERNEL},
      {"no code", "no code at all"},
      {"no version", ".target sm_90\n" KERNEL},
      {"a later version", ".version 99.9\n.target sm_90\n.address_size 64\n" KERNEL},
      {"a later target", ".version 8.7\n.target sm_100\n.address_size 64\n" KERNEL},
      {"an undefined function", HEAD ".extern .func f();\n.visible .entry k() { call f; ret; }\n"}};
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    linked(wrong[i][0], wrong[i][1], CU_JIT_INPUT_PTX);
    loaded(wrong[i][0], wrong[i][1]);
  }
  linked("as an object", HEAD KERNEL, CU_JIT_INPUT_OBJECT);
  linked("as a fatbin", HEAD KERNEL, CU_JIT_INPUT_FATBINARY);
  linked("as of no type", HEAD KERNEL, (CUjitInputType)99);
}

static void more_than_one(void) {
  CUlinkState link = NULL;
  void* cubin = NULL;
  size_t size = 0;
  cuLinkCreate(0, NULL, NULL, &link);
  code("nothing is linked", cuLinkComplete(link, &cubin, &size));
  code("once more", cuLinkComplete(link, &cubin, &size));
  cuLinkDestroy(link);
  cuLinkCreate(0, NULL, NULL, &link);
  code("a broken text", cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)"broken", 7, "a", 0, NULL, NULL));
  code("a right one after it",
       cuLinkAddData(link, CU_JIT_INPUT_PTX, (void*)(HEAD KERNEL), sizeof HEAD KERNEL, "b", 0, NULL, NULL));
  code("is linked", cuLinkComplete(link, &cubin, &size));
  cuLinkDestroy(link);
}

static void kernels(void) {
  CUlibrary library;
  CUkernel kernel, again;
  CUfunction function, as_function;
  CUmodule module;
  const char* name = "?";
  int value = 0;
  size_t offset, size;
  CUfunctionLoadingState state;
  cuLibraryLoadData(&library, HEAD KERNEL, NULL, NULL, 0, NULL, NULL, 0);
  cuLibraryGetKernel(&kernel, library, "k");
  cuLibraryGetKernel(&again, library, "k");
  number("the same kernel", kernel == again);
  as_function = (CUfunction)kernel;
  code("its function", cuKernelGetFunction(&function, kernel));
  number("is another handle", function != as_function);
  code("name of a kernel as a function", cuFuncGetName(&name, as_function));
  code("its module", cuFuncGetModule(&module, as_function));
  code("its attribute", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, as_function));
  code("set", cuFuncSetAttribute(as_function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
  code("its caches", cuFuncSetCacheConfig(as_function, CU_FUNC_CACHE_PREFER_L1));
  code("its parameters", cuFuncGetParamInfo(as_function, 0, &offset, &size));
  code("loaded", cuFuncLoad(as_function));
  code("is it", cuFuncIsLoaded(&state, as_function));
  code("its occupancy", cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, as_function, 32, 0));
  code("launched", cuLaunchKernel(as_function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
  code("waited for", cuCtxSynchronize());
}

static void conditions(void) {
  CUgraph graph;
  CUgraphConditionalHandle handle = 0;
  int i, j;
  for (i = 0; i < 2; ++i) {
    cuGraphCreate(&graph, 0);
    for (j = 0; j < 2; ++j) {
      cuGraphConditionalHandleCreate(&handle, graph, context, 0, 0);
      number("handle of a condition", (long long)handle);
    }
  }
}

static CUmemoryPool pool;
static void room(const char* name) {
  static const CUmemPool_attribute which[] = {
      CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
      CU_MEMPOOL_ATTR_USED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_HIGH};
  cuuint64_t held = 0;
  int i;
  for (i = 0; i < 4; ++i) {
    cuMemPoolGetAttribute(pool, which[i], &held);
    printf("%llu%s", (unsigned long long)held, i < 3 ? " " : "");
  }
  printf("\treserved and most, used and most: %s\n", name);
}

static void pools(void) {
  CUmemPoolProps properties;
  CUstream stream;
  CUdeviceptr small, medium, large, odd;
  cuuint64_t none = 0, all = ~0ull;
  memset(&properties, 0, sizeof properties);
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuMemPoolCreate(&pool, &properties);
  room("at first");
  cuMemAllocFromPoolAsync(&small, 100, pool, stream);
  room("100 bytes");
  cuMemAllocFromPoolAsync(&medium, 1 << 20, pool, stream);
  room("1 MiB");
  cuMemAllocFromPoolAsync(&large, 40 << 20, pool, stream);
  room("40 MiB");
  cuMemAllocFromPoolAsync(&odd, 513, pool, stream);
  room("513 bytes");
  cuMemFreeAsync(odd, stream);
  room("freed");
  cuMemFreeAsync(large, stream);
  room("40 MiB freed");
  cuStreamSynchronize(stream);
  room("waited");
  cuMemFreeAsync(medium, stream);
  cuMemFreeAsync(small, stream);
  room("all freed");
  cuMemPoolTrimTo(pool, 0);
  room("trimmed before waiting");
  cuStreamSynchronize(stream);
  room("waited");
  cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &none);
  room("most reserved is forgotten");
  cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &none);
  room("most used is forgotten");
  cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
  cuMemAllocFromPoolAsync(&small, 3 << 20, pool, stream);
  cuMemFreeAsync(small, stream);
  cuStreamSynchronize(stream);
  room("3 MiB, kept");
  cuMemAllocFromPoolAsync(&medium, 3 << 20, pool, stream);
  number("the same address", small == medium);
  cuMemFree(medium);
  room("freed by the host");
  cuCtxSynchronize();
  cuMemPoolTrimTo(pool, 1 << 20);
  room("trimmed to 1 MiB");
  cuMemAllocFromPoolAsync(&small, 33 << 20, pool, stream);
  cuMemAllocFromPoolAsync(&medium, 64 << 20, pool, stream);
  cuMemAllocFromPoolAsync(&large, 65 << 20, pool, stream);
  room("33, 64 and 65 MiB");
  cuMemFreeAsync(small, stream);
  cuMemFreeAsync(medium, stream);
  cuMemFreeAsync(large, stream);
  cuStreamSynchronize(stream);
  cuMemPoolTrimTo(pool, 40 << 20);
  room("trimmed to 40 MiB");
}

int main(void) {
  use_the_device();
  texts();
  more_than_one();
  kernels();
  conditions();
  pools();
  return 0;
}
