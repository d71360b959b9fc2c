// Arrays, textures, surfaces and boxes of the runtime API; copies that graphs hold.
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime_functions.h"
#include "tests/interposer/runtime/registered.h"

namespace {

// out[y * 8 + x] = the texel at (x, y), and the surface's becomes the double of it.
const char ptx[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 plus;
.visible .entry look(.param .u64 t, .param .u64 s, .param .u64 p) {
  .reg .b64 %d<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; ld.param.u64 %d0, [t]; ld.param.u64 %d1, [s]; ld.param.u64 %d2, [p];
  cvt.rn.f32.u32 %f0, %r0; cvt.rn.f32.u32 %f1, %r1; add.f32 %f0, %f0, 0f3F000000; add.f32 %f1, %f1, 0f3F000000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%d0, {%f0, %f1}];
  mad.lo.u32 %r2, %r1, 8, %r0; mul.wide.u32 %d3, %r2, 4; add.u64 %d2, %d2, %d3; st.global.f32 [%d2], %f2;
  add.f32 %f3, %f2, %f2; mov.b32 %r3, %f3; shl.b32 %r4, %r0, 2; sust.b.2d.b32.trap [%d1, {%r4, %r1}], {%r3};
  ret; })";

FatbinWrapper wrapper{.data = ptx};
char look, plus;
constexpr unsigned load_store = 2;  // cudaArraySurfaceLoadStore, a macro
const cudaChannelFormatDesc floats{32, 0, 0, 0, cudaChannelFormatKindFloat};

struct Picture {
  std::vector<float> texels = std::vector<float>(32);
  cudaArray_t array = nullptr;
  Picture() {
    for (int i = 0; i < 32; ++i) texels[static_cast<std::size_t>(i)] = static_cast<float>(i);
    WELL(cudaMallocArray(&array, &floats, 8, 4, load_store));
    WELL(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  }
  ~Picture() { WELL(cudaFreeArray(array)); }
};

// Measured on an H100: texels that stay integers are not filtered, and only short ones become real.
void check_sampling(int bits, cudaChannelFormatKind kind, cudaTextureFilterMode filter,
                    cudaTextureReadMode read, cudaError_t expected) {
  const cudaChannelFormatDesc texels{bits, 0, 0, 0, kind};
  cudaResourceDesc resource{};
  cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  resource.resType = cudaResourceTypeArray;
  how.filterMode = filter;
  how.readMode = read;
  WELL(cudaMallocArray(&resource.res.array.array, &texels, 8, 4, 0));
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == expected);
  cudaGetLastError();
  WELL(cudaFreeArray(resource.res.array.array));
}

void sampling() {
  const auto check = check_sampling;
  const auto linear = cudaFilterModeLinear, point = cudaFilterModePoint;
  const auto as_they_are = cudaReadModeElementType, real = cudaReadModeNormalizedFloat;
  for (const auto integer : {cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned}) {
    check(32, integer, linear, as_they_are, cudaErrorInvalidFilterSetting);
    check(32, integer, linear, real, cudaErrorInvalidFilterSetting);
    check(32, integer, point, real, cudaErrorInvalidNormSetting);
    check(8, integer, linear, as_they_are, cudaErrorInvalidFilterSetting);
    check(16, integer, linear, real, cudaSuccess);
  }
  check(32, cudaChannelFormatKindFloat, linear, as_they_are, cudaSuccess);
  check(16, cudaChannelFormatKindFloat, point, real, cudaErrorInvalidNormSetting);
}

void kernel_handles() {
  cudaKernel_t kernel = nullptr, again = nullptr;
  cudaFunction_t function = nullptr;
  WELL(cudaGetKernel(&kernel, &look));
  WELL(cudaGetKernel(&again, &look));
  CHECK(kernel != nullptr && kernel == again);
  CHECK(cudaGetKernel(nullptr, &look) == cudaErrorInvalidValue);
  CHECK(cudaGetKernel(&kernel, nullptr) == cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetKernel(&kernel, &plus) == cudaErrorInvalidDeviceFunction);
  WELL(cudaGetFuncBySymbol(&function, &look));
  CHECK(static_cast<void*>(function) != static_cast<void*>(again));
  CHECK(cudaGetFuncBySymbol(&function, again) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  cudaFuncAttributes told{};
  WELL(cudaFuncGetAttributes(&told, again));
}

struct Called {
  std::mutex mutex;
  std::thread::id thread;
  cudaError_t answer = cudaSuccess;
  int times = 0;
};

// By a thread of the driver's, which may not call it; whoever asks may hold what the function wants.
void host_functions() {
  Called called;
  cudaStream_t stream = nullptr;
  WELL(cudaStreamCreate(&stream));
  const auto function = [](void* data) {
    Called& to = *static_cast<Called*>(data);
    const std::lock_guard lock(to.mutex);
    void* memory = nullptr;
    to.thread = std::this_thread::get_id();
    to.answer = cudaMalloc(&memory, 4);
    ++to.times;
  };
  {
    const std::lock_guard lock(called.mutex);
    WELL(cudaLaunchHostFunc(stream, function, &called));
  }
  WELL(cudaStreamSynchronize(stream));
  CHECK(called.times == 1 && called.thread != std::this_thread::get_id());
  CHECK(called.answer == cudaErrorNotPermitted);
  WELL(cudaStreamDestroy(stream));
}

void textures() {
  const Picture picture, other;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = picture.array;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  WELL(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  cudaTextureDesc told{};
  cudaResourceDesc of{};
  WELL(cudaGetTextureObjectTextureDesc(&told, texture));
  WELL(cudaGetTextureObjectResourceDesc(&of, texture));
  CHECK(told.addressMode[1] == cudaAddressModeClamp && told.readMode == cudaReadModeElementType);
  CHECK(of.resType == cudaResourceTypeArray && of.res.array.array == picture.array);
  resource.res.array.array = other.array;
  WELL(cudaCreateSurfaceObject(&surface, &resource));
  float *device = nullptr, seen[32];
  WELL(cudaMalloc(reinterpret_cast<void**>(&device), sizeof seen));
  void* arguments[] = {&texture, &surface, &device};
  WELL(cudaLaunchKernel(&look, {1, 1, 1}, {8, 4, 1}, arguments, 0, nullptr));
  WELL(cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(std::memcmp(seen, picture.texels.data(), sizeof seen) == 0);
  WELL(cudaMemcpy2DFromArray(seen, 32, other.array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  CHECK(seen[31] == 62 && seen[8] == 16);
  WELL(cudaDestroyTextureObject(texture));
  WELL(cudaDestroySurfaceObject(surface));
  WELL(cudaFree(device));
  CHECK(cudaCreateTextureObject(&texture, nullptr, &how, nullptr) == cudaErrorInvalidValue);
}

void descriptions() {
  const Picture picture;
  cudaChannelFormatDesc told{};
  cudaExtent extent{};
  unsigned flags = 0;
  WELL(cudaArrayGetInfo(&told, &extent, &flags, picture.array));
  CHECK(told.x == 32 && told.y == 0 && told.f == cudaChannelFormatKindFloat);
  CHECK(extent.width == 8 && extent.height == 4 && extent.depth == 0 && flags == load_store);
  const cudaChannelFormatDesc made = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
  CHECK(made.w == 8 && made.f == cudaChannelFormatKindUnsigned);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc three{8, 8, 8, 0, cudaChannelFormatKindUnsigned}, uneven{8, 16, 0, 0, made.f};
  CHECK(cudaMallocArray(&array, &three, 4, 4, 0) != cudaSuccess);
  CHECK(cudaMallocArray(&array, &uneven, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaMallocArray(&array, nullptr, 4, 4, 0) == cudaErrorInvalidValue);
  cudaMipmappedArray_t levels = nullptr;
  WELL(cudaMallocMipmappedArray(&levels, &made, {8, 8, 0}, 3, 0));
  WELL(cudaGetMipmappedArrayLevel(&array, levels, 2));
  WELL(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
  CHECK(extent.width == 2 && extent.height == 2);
  WELL(cudaFreeMipmappedArray(levels));
  WELL(cudaFreeArray(nullptr));
  cudaGetLastError();
}

// Lines of an array go on in its next row.
void lines() {
  const Picture picture;
  const float line[] = {100, 101, 102, 103};
  float seen[32];
  WELL(cudaMemcpyToArray(picture.array, 24, 1, line, sizeof line, cudaMemcpyHostToDevice));
  WELL(cudaMemcpyFromArray(seen, picture.array, 0, 0, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(seen[13] == 13 && seen[14] == 100 && seen[15] == 101 && seen[16] == 102 && seen[17] == 103);
  const Picture other;
  WELL(cudaMemcpy2DArrayToArray(other.array, 0, 0, picture.array, 16, 1, 16, 2, cudaMemcpyDeviceToDevice));
  WELL(cudaMemcpy2DFromArray(seen, 32, other.array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  CHECK(seen[2] == 100 && seen[3] == 101 && seen[4] == 4 && seen[8] == 20);
}

void boxes() {
  cudaPitchedPtr memory{};
  WELL(cudaMalloc3D(&memory, {20, 3, 2}));
  CHECK(memory.pitch >= 20 && memory.ysize == 3);
  WELL(cudaMemset3D(memory, 7, {20, 2, 2}));
  CHECK(cudaMemset3D(memory, 7, {20, 4, 1}) == cudaErrorInvalidValue);  // as on an H100
  unsigned char seen[2][3][20] = {};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = memory;
  copy.dstPtr = {seen, 20, 20, 3};
  copy.extent = {20, 2, 2};
  copy.kind = cudaMemcpyDeviceToHost;
  WELL(cudaMemcpy3D(&copy));
  CHECK(seen[0][0][0] == 7 && seen[1][1][19] == 7 && seen[0][2][0] == 0);
  copy.srcArray = reinterpret_cast<cudaArray_t>(&copy);  // both
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  WELL(cudaFree(memory.ptr));
  cudaArray_t volume = nullptr;
  WELL(cudaMalloc3DArray(&volume, &floats, {4, 3, 2}, 0));
  float texels[2][3][4], back[2][3][4] = {};
  for (int i = 0; i < 24; ++i) texels[0][0][i] = static_cast<float>(i);
  cudaMemcpy3DParms in{};
  in.srcPtr = {texels, 16, 4, 3};
  in.dstArray = volume;
  in.extent = {4, 3, 2};
  in.kind = cudaMemcpyHostToDevice;
  WELL(cudaMemcpy3D(&in));
  cudaMemcpy3DParms out{};
  out.srcArray = volume;
  out.srcPos = {1, 1, 1};
  out.dstPtr = {back, 16, 4, 3};
  out.extent = {3, 2, 1};
  out.kind = cudaMemcpyDeviceToHost;
  WELL(cudaMemcpy3D(&out));
  CHECK(back[0][0][0] == 17 && back[0][1][2] == 23 && back[0][2][0] == 0);
  WELL(cudaFreeArray(volume));
  cudaGetLastError();
}

// A box, a variable, and what nodes tell of themselves.
void graphs() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t in = nullptr, out = nullptr, box = nullptr;
  unsigned given = 5, seen = 0;
  float texels[4] = {1, 2, 3, 4}, back[4] = {};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {texels, 16, 16, 1};
  copy.dstPtr = {back, 16, 16, 1};
  copy.extent = {16, 1, 1};
  copy.kind = cudaMemcpyDefault;
  WELL(cudaGraphCreate(&graph, 0));
  WELL(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, &plus, &given, 4, 0, cudaMemcpyHostToDevice));
  WELL(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, &seen, &plus, 4, 0, cudaMemcpyDeviceToHost));
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeMemcpy;
  node.memcpy.copyParams = copy;
  WELL(cudaGraphAddNode(&box, graph, &out, nullptr, 1, &node));
  cudaMemcpy3DParms told{};
  WELL(cudaGraphMemcpyNodeGetParams(box, &told));
  CHECK(told.srcPtr.ptr == texels && told.extent.width == 16 && told.extent.depth == 1);
  WELL(cudaGraphInstantiate(&executable, graph, 0));
  WELL(cudaGraphLaunch(executable, nullptr));
  CHECK(seen == 5 && back[3] == 4);
  cudaKernelNodeParams kernel{}, known{};
  cudaTextureObject_t none = 0;
  void* arguments[] = {&none, &none, &none};
  kernel.func = &look;
  kernel.gridDim = kernel.blockDim = {1, 1, 1};
  kernel.kernelParams = arguments;
  WELL(cudaGraphAddKernelNode(&box, graph, nullptr, 0, &kernel));
  WELL(cudaGraphKernelNodeGetParams(box, &known));
  CHECK(known.func == &look && known.blockDim.x == 1);
  std::size_t edges = 0;
  WELL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(edges == 2);
  WELL(cudaGraphDebugDotPrint(graph, "/dev/stdout", 0));
  CHECK(cudaGraphDebugDotPrint(graph, "/nowhere/at/all", 0) != cudaSuccess);
  cudaGetLastError();
  WELL(cudaGraphExecDestroy(executable));
  WELL(cudaGraphDestroy(graph));
}

void* destroyed = nullptr;

void held() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaUserObject_t object = nullptr;
  constexpr unsigned no_sync = 1, move = 1;  // cudaUserObjectNoDestructorSync, cudaGraphUserObjectMove
  WELL(cudaGraphCreate(&graph, 0));
  WELL(cudaUserObjectCreate(
      &object, &graph, [](void* data) { destroyed = data; }, 1, no_sync));
  WELL(cudaGraphRetainUserObject(graph, object, 1, move));
  WELL(cudaGraphInstantiate(&executable, graph, 0));
  WELL(cudaGraphDestroy(graph));
  CHECK(destroyed == nullptr);
  WELL(cudaGraphExecDestroy(executable));
  CHECK(destroyed == &graph);
  cudaStream_t stream = nullptr;
  cudaLaunchAttributeValue value{};
  WELL(cudaStreamCreate(&stream));
  value.syncPolicy = cudaSyncPolicySpin;
  WELL(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  value = {};
  WELL(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
  CHECK(value.syncPolicy == cudaSyncPolicySpin);
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value) == cudaErrorInvalidValue);
  WELL(cudaStreamDestroy(stream));
  void* function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  WELL(cudaGetDriverEntryPoint("cuMemAlloc", &function, 0, &status));
  CHECK(function != nullptr && status == cudaDriverEntryPointSuccess);
  WELL(cudaGetDriverEntryPoint("cuNothing", &function, 0, &status));
  CHECK(function == nullptr && status == cudaDriverEntryPointSymbolNotFound);
  cudaGetLastError();
}

// What was advised is told, of a range where all of it agrees.
void advice() {
  char* memory = nullptr;
  constexpr std::size_t page = 4096;
  int number = -7, list[3] = {};
  WELL(cudaMallocManaged(reinterpret_cast<void**>(&memory), 2 * page, 1));
  const auto ask = [&](cudaMemRangeAttribute which, std::size_t bytes) {
    WELL(cudaMemRangeGetAttribute(&number, sizeof number, which, memory, bytes));
    return number;
  };
  constexpr int host = -1, nowhere = -2;
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 2 * page) == nowhere);
  WELL(cudaMemAdvise(memory, 2 * page, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeDevice, 0}));
  WELL(cudaMemAdvise(memory, page, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
  WELL(cudaMemAdvise(memory, page, cudaMemAdviseSetAccessedBy, {cudaMemLocationTypeHost, 0}));
  WELL(cudaMemPrefetchAsync(memory, 2 * page, {cudaMemLocationTypeHost, 0}, 0, nullptr));
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 2 * page) == 0);
  CHECK(ask(cudaMemRangeAttributeReadMostly, page) == 1);
  CHECK(ask(cudaMemRangeAttributeReadMostly, 2 * page) == 0);
  CHECK(ask(cudaMemRangeAttributeLastPrefetchLocation, page) == host);
  CHECK(ask(cudaMemRangeAttributePreferredLocationType, page) == cudaMemLocationTypeDevice);
  WELL(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, memory, page));
  CHECK(list[0] == host && list[1] == nowhere && list[2] == nowhere);
  CHECK(cudaMemRangeGetAttribute(list, 3, cudaMemRangeAttributeReadMostly, memory, page) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemRangeGetAttribute(list, 4, cudaMemRangeAttributeReadMostly, list, 4) == cudaErrorInvalidValue);
  WELL(cudaFree(memory));
  cudaGetLastError();
}

}  // namespace

int main() {
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &look, &look, "look", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, &plus, &plus, "plus", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  textures();
  sampling();
  kernel_handles();
  host_functions();
  descriptions();
  lines();
  boxes();
  graphs();
  held();
  advice();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
