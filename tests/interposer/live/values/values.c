/* What a driver answers to calls that ask for values. */
#include "tell.h"

static void split(unsigned groups, unsigned flags, unsigned least, int simulated) {
  static CUdevResource all, parts[200], rest;
  char name[96];
  unsigned count = groups, i;
  memset(&rest, 0, sizeof rest);
  cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
  snprintf(name, sizeof name, "split %u flags %u least %u%s", groups, flags, least,
           simulated ? " simulated" : "");
  code(name, cuDevSmResourceSplitByCount(simulated ? NULL : parts, &count, &all, &rest, flags, least));
  printf("%u groups, rest of type %d with %u units\t%s\n", count, rest.type, rest.sm.smCount, name);
  if (simulated || count == 0 || count > 200) return;
  for (i = 0; i<count; i += count> 1 ? count - 1 : 1)
    printf("%u %u %u\tunits, least part, alignment of group %u: %s\n", parts[i].sm.smCount,
           parts[i].sm.minSmPartitionSize, parts[i].sm.smCoscheduledAlignment, i, name);
}

static void green_contexts(void) {
  CUdevResource all, part[1], its;
  CUdevResourceDesc description;
  CUgreenCtx green, of_stream = NULL;
  CUcontext as_context, current, of_stream_context;
  CUstream stream;
  unsigned count = 1, flags = 99;
  unsigned long long id = 0, other_id = 0;
  size_t free_bytes = 0, total = 0;
  int priority = 99;
  CUdeviceptr memory = 0;
  code("resource of the device", cuDeviceGetDevResource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
  number("units", all.sm.smCount);
  number("least part", all.sm.minSmPartitionSize);
  number("alignment", all.sm.smCoscheduledAlignment);
  split(1, 0, 0, 0);
  split(1, 0, 1, 0);
  split(1, 0, 8, 0);
  split(1, 0, 9, 0);
  split(1, 0, 16, 0);
  split(1, 0, 66, 0);
  split(2, 0, 66, 0);
  split(1, 0, 100, 0);
  split(1, 0, 132, 0);
  split(2, 0, 8, 0);
  split(3, 0, 20, 0);
  split(4, 0, 32, 0);
  split(16, 0, 8, 0);
  split(8, 0, 16, 0);
  split(5, 0, 24, 0);
  split(4, 0, 26, 0);
  split(16, 1, 2, 0);
  split(16, 1, 8, 0);
  split(7, 2, 16, 0);
  split(2, 0, 40, 0);
  split(1, 1, 1, 0);
  split(1, 1, 3, 0);
  split(2, 1, 61, 0);
  split(1, 2, 8, 0);
  split(1, 3, 8, 0);
  split(0, 0, 8, 1);
  split(5, 0, 8, 1);
  split(0, 0, 0, 1);
  split(0, 1, 0, 1);
  split(0, 2, 0, 1);
  cuDevSmResourceSplitByCount(part, &count, &all, NULL, 0, 16);
  cuDevResourceGenerateDesc(&description, part, 1);
  code("green context", cuGreenCtxCreate(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
  cuGreenCtxGetDevResource(green, &its, CU_DEV_RESOURCE_TYPE_SM);
  number("its units", its.sm.smCount);
  number("its least part", its.sm.minSmPartitionSize);
  number("its alignment", its.sm.smCoscheduledAlignment);
  cuCtxFromGreenCtx(&as_context, green);
  number("as a context it is another one", as_context != context);
  code("its id", cuGreenCtxGetId(green, &id));
  cuCtxGetId(as_context, &other_id);
  number("as a context it has that id", id == other_id);
  code("made current", cuCtxPushCurrent(as_context));
  cuCtxGetCurrent(&current);
  number("it is current", current == as_context);
  cuCtxGetDevResource(NULL, &its, CU_DEV_RESOURCE_TYPE_SM);
  number("units of the current one", its.sm.smCount);
  cuCtxGetFlags(&flags);
  number("flags", flags);
  cuMemAlloc(&memory, 64);
  cuPointerGetAttribute(&current, CU_POINTER_ATTRIBUTE_CONTEXT, memory);
  number("memory made there belongs to it", current == as_context);
  cuMemGetInfo(&free_bytes, &total);
  cuCtxGetDevResource(context, &its, CU_DEV_RESOURCE_TYPE_SM);
  number("units of the other context", its.sm.smCount);
  code("stream of it", cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  code("green context of the stream", cuStreamGetGreenCtx(stream, &of_stream));
  number("it is that one", of_stream == green);
  code("default stream there", cuStreamGetGreenCtx(NULL, &of_stream));
  number("is of that one", of_stream == green);
  cuCtxPopCurrent(NULL);
  code("blocking stream", cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0));
  code("stream with a priority", cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, -3));
  cuStreamGetPriority(stream, &priority);
  number("priority", priority);
  of_stream_context = NULL;
  code("its context", cuStreamGetCtx(stream, &of_stream_context));
  number("is the green one", of_stream_context == as_context);
  of_stream_context = NULL;
  of_stream = NULL;
  code("both", cuStreamGetCtx_v2(stream, &of_stream_context, &of_stream));
  number("a context is told", of_stream_context != NULL);
  number("it is the green one", of_stream_context == as_context);
  number("a green one is told", of_stream == green);
  code("stream of the usual context", cuStreamCreate(&stream, 0));
  of_stream = (CUgreenCtx)1;
  code("both of it", cuStreamGetCtx_v2(stream, &of_stream_context, &of_stream));
  number("no green one", of_stream == NULL);
  number("the usual one", of_stream_context == context);
  code("gone", cuGreenCtxDestroy(green));
}

static void of_device(void) {
  static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                                           CU_AD_FORMAT_FLOAT, CU_AD_FORMAT_HALF};
  char name[64];
  unsigned i, channels;
  CUdevprop p;
  unsigned capabilities[13] = {0};
  CUatomicOperation operations[13];
  CUexecAffinityParam affinity;
  int supported = -1;
  for (i = 0; i < 4; ++i)
    for (channels = 1; channels <= 4; channels *= 2) {
      size_t width = 0;
      snprintf(name, sizeof name, "width of linear textures: format %d, %u channels", formats[i], channels);
      cuDeviceGetTexture1DLinearMaxWidth(&width, formats[i], channels, device);
      number(name, (long long)width);
    }
  memset(&p, 0, sizeof p);
  code("properties", cuDeviceGetProperties(&p, device));
  printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d\tproperties\n", p.maxThreadsPerBlock, p.maxThreadsDim[0],
         p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2],
         p.sharedMemPerBlock, p.totalConstantMemory, p.SIMDWidth, p.memPitch, p.regsPerBlock, p.clockRate,
         p.textureAlign);
  code("affinity is supported",
       cuDeviceGetExecAffinitySupport(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, device));
  number("affinity", supported);
  memset(&affinity, 0, sizeof affinity);
  code("affinity of the context", cuCtxGetExecAffinity(&affinity, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
  number("its units", affinity.param.smCount.val);
  for (i = 0; i < 13; ++i) operations[i] = (CUatomicOperation)i;
  code("atomics of the host", cuDeviceGetHostAtomicCapabilities(capabilities, operations, 13, device));
  for (i = 0; i < 13; ++i) {
    snprintf(name, sizeof name, "atomics of the host: operation %u", i);
    number(name, capabilities[i]);
  }
}

static void core_dumps(void) {
  int which;
  for (which = 1; which <= 7; ++which) {
    char name[64];
    unsigned char bytes[1024] = {0};
    const size_t room = which == CU_COREDUMP_GENERATION_FLAGS                    ? 4
                        : which == CU_COREDUMP_FILE || which == CU_COREDUMP_PIPE ? sizeof bytes
                                                                                 : 1;
    size_t size = room;
    snprintf(name, sizeof name, "core dump attribute %d", which);
    code(name, cuCoredumpGetAttribute((CUcoredumpSettings)which, bytes, &size));
    printf("%zu bytes, first %d\t%s\n", size, bytes[0], name);
    size = room;
    memset(bytes, 0, sizeof bytes);
    snprintf(name, sizeof name, "core dump attribute %d of all", which);
    code(name, cuCoredumpGetAttributeGlobal((CUcoredumpSettings)which, bytes, &size));
    printf("%zu bytes, first %d\t%s\n", size, bytes[0], name);
  }
}

static void arrays(void) {
  static const unsigned flags[] = {0, 0x02, 0x01}; /* none, for surfaces, layered */
  unsigned i;
  for (i = 0; i < 3; ++i) {
    char name[64];
    CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = 100,
                                     .Height = 50,
                                     .Depth = flags[i] == 1 ? 3 : 0,
                                     .Format = CU_AD_FORMAT_FLOAT,
                                     .NumChannels = 1,
                                     .Flags = flags[i]};
    CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
    CUDA_ARRAY_SPARSE_PROPERTIES sparse;
    CUarray array = NULL;
    CUmipmappedArray levels = NULL;
    memset(&needs, 0, sizeof needs);
    memset(&sparse, 0, sizeof sparse);
    snprintf(name, sizeof name, "array with flags %u", flags[i]);
    code(name, cuArray3DCreate(&array, &shape));
    code("its memory", cuArrayGetMemoryRequirements(&needs, array, device));
    printf("%zu %zu\tsize and alignment: %s\n", needs.size, needs.alignment, name);
    code("its tiles", cuArrayGetSparseProperties(&sparse, array));
    printf("%u %u %u %u %llu %u\ttile, first of the tail, its size, flags: %s\n", sparse.tileExtent.width,
           sparse.tileExtent.height, sparse.tileExtent.depth, sparse.miptailFirstLevel, sparse.miptailSize,
           sparse.flags, name);
    snprintf(name, sizeof name, "levels with flags %u", flags[i]);
    code(name, cuMipmappedArrayCreate(&levels, &shape, 3));
    memset(&needs, 0, sizeof needs);
    code("their memory", cuMipmappedArrayGetMemoryRequirements(&needs, levels, device));
    printf("%zu %zu\tsize and alignment: %s\n", needs.size, needs.alignment, name);
  }
}

static void references(void) {
  static const char* const text =
      ".version 4.3\n.target sm_52\n.address_size 64\n.visible .global .texref picture;\n"
      ".visible .global .surfref drawing;\n.visible .entry e() { ret; }\n";
  CUmodule module = NULL;
  CUtexref found = NULL, again = NULL, made = NULL;
  CUaddress_mode mode = 99;
  CUfilter_mode filter = 99;
  CUarray_format format = 99;
  CUdeviceptr memory = 0, told = 1;
  size_t offset = 99;
  float low = 9, high = 9, colour[4] = {9, 9, 9, 9};
  int channels = 99, anisotropy = 99, i;
  unsigned flags = 99;
  CUarray array, of_it = NULL;
  CUDA_ARRAY_DESCRIPTOR shape = {16, 8, CU_AD_FORMAT_HALF, 2};
  code("module with references", cuModuleLoadData(&module, text));
  code("reference", cuModuleGetTexRef(&found, module, "picture"));
  cuModuleGetTexRef(&again, module, "picture");
  number("it is the same again", found == again);
  cuTexRefCreate(&made);
  for (i = 0; i < 2; ++i) {
    CUtexref one = i ? made : found;
    code(i ? "made" : "found", cuTexRefGetFormat(&format, &channels, one));
    number("format", format);
    number("channels", channels);
    cuTexRefGetAddressMode(&mode, one, 0);
    number("address mode 0", mode);
    cuTexRefGetAddressMode(&mode, one, 2);
    number("address mode 2", mode);
    cuTexRefGetFilterMode(&filter, one);
    number("filter", filter);
    cuTexRefGetMipmapFilterMode(&filter, one);
    number("filter of levels", filter);
    cuTexRefGetFlags(&flags, one);
    number("flags", flags);
    cuTexRefGetMaxAnisotropy(&anisotropy, one);
    number("anisotropy", anisotropy);
    cuTexRefGetMipmapLevelClamp(&low, &high, one);
    number("lowest level in thousandths", (long long)(low * 1000));
    number("highest level in thousandths", (long long)(high * 1000));
    cuTexRefGetMipmapLevelBias(&low, one);
    number("bias in thousandths", (long long)(low * 1000));
    cuTexRefGetBorderColor(colour, one);
    number("border in thousandths", (long long)(colour[0] * 1000 + colour[3] * 10));
  }
  cuArrayCreate(&array, &shape);
  code("an array", cuTexRefSetArray(found, array, 1));
  cuTexRefGetFormat(&format, &channels, found);
  number("format of the array", format);
  number("channels of the array", channels);
  code("asked for", cuTexRefGetArray(&of_it, found));
  number("it is that one", of_it == array);
  cuMemAlloc(&memory, 4096);
  code("memory", cuTexRefSetAddress(&offset, found, memory + 64, 256));
  number("offset", (long long)offset);
  code("where", cuTexRefGetAddress(&told, found));
  number("as given", told == memory + 64);
  number("as aligned", told == memory);
  code("array afterwards", cuTexRefGetArray(&of_it, found));
  cuTexRefSetFlags(found, 1);
  cuTexRefGetFlags(&flags, found);
  number("flags as set", flags);
}

int main(void) {
  use_the_device();
  of_device();
  arrays();
  references();
  core_dumps();
  green_contexts();
  return 0;
}
