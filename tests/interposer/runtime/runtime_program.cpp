// What nvcc makes of a program, by hand: registers an image, kernels and variables, and launches with
// <<<>>>'s calls.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "runtime_abi.h"

extern "C" {
void** __cudaRegisterFatBinary(void* image);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit,
                            void* tid, void* bid, dim3* block, dim3* grid, int* warp);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext, size_t size,
                       int constant, int global);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name, int ext,
                              size_t size, int constant, int global);
char __cudaInitModule(void** handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared,
                               cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** args, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync_ptsz(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind,
                                 cudaStream_t stream);
cudaError_t cudaMemcpy2D(void* to, size_t pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          size_t shared);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const struct cudaKernelNodeParams* kernel);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* kernel);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation where);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t memory);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned flags);
}

namespace {

const char ptx[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .f32 factor;
.visible .global .align 4 .u32 counter;
.visible .global .attribute(.managed) .align 4 .u32 together = 5;
.visible .entry scale(.param .u64 p, .param .u32 n) {
  .reg .b64 %d<3>; .reg .b32 %r<6>; .reg .f32 %f<3>; .reg .pred %p;
  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r0, %r1, %r2;
  ld.param.u32 %r4, [n]; setp.ge.u32 %p, %r3, %r4; @%p exit;
  ld.param.u64 %d0, [p]; mul.wide.u32 %d1, %r3, 4; add.u64 %d0, %d0, %d1;
  ld.global.f32 %f0, [%d0]; ld.const.f32 %f1, [factor]; mul.f32 %f0, %f0, %f1; st.global.f32 [%d0], %f0;
  atom.global.add.u32 %r5, [counter], 1; atom.global.add.u32 %r5, [together], 1;
  ret; })";

struct {
  int magic = 0x466243b1, version = 1;
  const void* data = ptx;
  void* more = nullptr;
} wrapper;

char scale, factor, counter;
unsigned* together = nullptr;
int failures = 0;

#define CHECK(condition)                                                              \
  do {                                                                                \
    if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition), ++failures; \
  } while (0)
#define WELL(call) CHECK((call) == cudaSuccess)

// scale<<<grid, block>>>(pointer, n)
cudaError_t launch(dim3 grid, dim3 block, float* pointer, unsigned n) {
  CHECK(__cudaPushCallConfiguration(grid, block, 0, nullptr) == 0);
  void* arguments[] = {&pointer, &n};
  cudaKernel_t kernel = nullptr;
  WELL(__cudaGetKernel(&kernel, &scale));
  size_t shared = 1;
  cudaStream_t stream = nullptr;
  WELL(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

void copies_and_launches() {
  std::vector<float> host(100);
  for (int i = 0; i < 100; ++i) host[i] = static_cast<float>(i);
  const float three = 3;
  float* device = nullptr;
  WELL(cudaMalloc(reinterpret_cast<void**>(&device), 400));
  WELL(cudaMemcpy(device, host.data(), 400, cudaMemcpyHostToDevice));
  WELL(cudaMemcpyToSymbol(&factor, &three, 4, 0, cudaMemcpyHostToDevice));
  WELL(launch({4, 1, 1}, {32, 1, 1}, device, 100));
  WELL(cudaDeviceSynchronize());
  WELL(cudaMemcpyAsync_ptsz(host.data(), device, 400, cudaMemcpyDefault, nullptr));
  CHECK(host[99] == 297);
  unsigned count = 0;
  WELL(cudaMemcpyFromSymbol(&count, &counter, 4, 0, cudaMemcpyDeviceToHost));
  CHECK(count == 100);
  CHECK(together != nullptr && *together == 105);
  size_t size = 0;
  WELL(cudaGetSymbolSize(&size, &counter));
  CHECK(size == 4);
  cudaPointerAttributes attributes{};
  WELL(cudaPointerGetAttributes(&attributes, device));
  CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == device &&
        attributes.device == 0);
  WELL(cudaPointerGetAttributes(&attributes, host.data()));
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  WELL(cudaMemset(device, 0, 400));
  WELL(cudaMemcpy(host.data(), device, 400, cudaMemcpyDeviceToHost));
  CHECK(host[50] == 0);
  std::thread other([&] { WELL(launch({1, 1, 1}, {1, 1, 1}, device, 1)); });
  other.join();
  WELL(cudaFree(device));
  WELL(cudaFree(nullptr));
}

// To the device, times `factor`, and back; then of one element less.
void graphs() {
  float host[4] = {1, 2, 3, 4}, *device = nullptr;
  const float two = 2;
  unsigned n = 4;
  WELL(cudaMalloc(reinterpret_cast<void**>(&device), sizeof host));
  WELL(cudaMemcpyToSymbol(&factor, &two, 4, 0, cudaMemcpyHostToDevice));
  void* arguments[] = {&device, &n};
  cudaKernelNodeParams kernel{};
  kernel.func = &scale;
  kernel.gridDim = {1, 1, 1};
  kernel.blockDim = {4, 1, 1};
  kernel.kernelParams = arguments;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t in = nullptr, times = nullptr, out = nullptr;
  cudaGraphExec_t executable = nullptr;
  WELL(cudaGraphCreate(&graph, 0));
  WELL(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, device, host, sizeof host, cudaMemcpyHostToDevice));
  WELL(cudaGraphAddKernelNode(&times, graph, &in, 1, &kernel));
  WELL(cudaGraphAddMemcpyNode1D(&out, graph, &times, 1, host, device, sizeof host, cudaMemcpyDeviceToHost));
  WELL(cudaGraphInstantiate(&executable, graph, 0));
  WELL(cudaGraphLaunch(executable, nullptr));
  WELL(cudaDeviceSynchronize());
  CHECK(host[0] == 2 && host[3] == 8);
  n = 3;
  WELL(cudaGraphExecKernelNodeSetParams(executable, times, &kernel));
  WELL(cudaGraphLaunch(executable, nullptr));
  WELL(cudaDeviceSynchronize());
  CHECK(host[0] == 4 && host[3] == 8);
  kernel.func = host;  // no kernel
  CHECK(cudaGraphExecKernelNodeSetParams(executable, times, &kernel) != cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&times, graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  WELL(cudaGraphExecDestroy(executable));
  WELL(cudaGraphDestroy(graph));
  WELL(cudaFree(device));
  cudaGetLastError();
}

void places() {
  float *one = nullptr, *other = nullptr;
  WELL(cudaMallocManaged(reinterpret_cast<void**>(&one), 64, 1));
  WELL(cudaMallocManaged(reinterpret_cast<void**>(&other), 64, 1));
  WELL(cudaMemAdvise(one, 64, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
  one[3] = 7;
  WELL(cudaMemcpyPeer(other, 0, one, 0, 64));
  CHECK(other[3] == 7);
  CHECK(cudaMemcpyPeer(other, 1, one, 0, 64) == cudaErrorInvalidDevice);
  cudaGetLastError();
  WELL(cudaFree(one));
  WELL(cudaFree(other));
}

void planes() {
  char* plane = nullptr;
  size_t pitch = 0;
  WELL(cudaMallocPitch(reinterpret_cast<void**>(&plane), &pitch, 10, 3));
  CHECK(pitch >= 10);
  const char rows[] = "abcdefghijklmnopqrstuvwxyz1234";
  char back[31] = {};
  WELL(cudaMemcpy2D(plane, pitch, rows, 10, 10, 3, cudaMemcpyHostToDevice));
  WELL(cudaMemcpy2D(back, 10, plane, pitch, 10, 3, cudaMemcpyDeviceToHost));
  CHECK(std::strcmp(rows, back) == 0);
  CHECK(cudaMemcpy2D(back, 5, plane, pitch, 10, 3, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidPitchValue);
  WELL(cudaFree(plane));
  void* pinned = nullptr;
  WELL(cudaMallocHost(&pinned, 64));
  WELL(cudaFreeHost(pinned));
}

void streams() {
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  float milliseconds = -1;
  WELL(cudaStreamCreate(&stream));
  WELL(cudaEventCreate(&begin));
  WELL(cudaEventCreate(&end));
  WELL(cudaEventRecord(begin, stream));
  WELL(cudaEventRecord(end, stream));
  WELL(cudaEventSynchronize(end));
  WELL(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventElapsedTime(nullptr, begin, end) == 1);  // cudaErrorInvalidValue, as on an H100
  CHECK(milliseconds >= 0);
  WELL(cudaStreamSynchronize(stream));
  WELL(cudaStreamDestroy(stream));
}

void device() {
  int number = -1;
  WELL(cudaGetDeviceCount(&number));
  CHECK(number == 1);
  WELL(cudaSetDevice(0));
  WELL(cudaGetDevice(&number));
  CHECK(number == 0);
  cudaDeviceProp properties{};
  WELL(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.major == 9);
  CHECK(properties.warpSize == 32);
  CHECK(properties.maxThreadsDim[2] == 64);
  CHECK(properties.sharedMemPerBlockOptin == 232448);
  CHECK(std::strstr(properties.name, "H200") != nullptr);
  cudaFuncAttributes needs{};
  WELL(cudaFuncGetAttributes(&needs, &scale));
  CHECK(needs.maxThreadsPerBlock == 1024);
  CHECK(needs.ptxVersion > 0);
  int blocks = 0;
  WELL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale, 128, 0));
  CHECK(blocks > 0);
  WELL(cudaRuntimeGetVersion(&number));
  CHECK(number == 13000);
}

void errors() {
  int nothing = 0;
  void* arguments[] = {&nothing};
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(launch({1, 1, 1}, {2048, 1, 1}, nullptr, 0) == cudaErrorInvalidValue);
  CHECK(launch({1, 0, 1}, {1, 1, 1}, nullptr, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaLaunchKernel(&nothing, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaMemcpyToSymbol(&scale, &nothing, 4, 0, cudaMemcpyHostToDevice) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(&counter, &nothing, 4, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(&counter, &nothing, 4, 0, cudaMemcpyDeviceToHost) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaFree(&nothing) != cudaSuccess);
  dim3 grid{}, block{};
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  CHECK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == cudaErrorMissingConfiguration);
  CHECK(cudaDestroyExternalMemory(nullptr) == cudaErrorNotSupported);
  constexpr unsigned peers_when_needed = 1;  // cudaIpcMemLazyEnablePeerAccess, a macro
  cudaIpcMemHandle_t handle{};
  void* memory = nullptr;
  CHECK(cudaIpcGetMemHandle(&handle, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaIpcOpenMemHandle(&memory, handle, peers_when_needed) == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&memory, 0) == cudaSuccess && memory == nullptr);
  CHECK(cudaMallocManaged(&memory, 0, 1) == cudaSuccess && memory == nullptr);
  CHECK(cudaMemcpy(&nothing, arguments, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(&nothing, arguments, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(&nothing, arguments, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(&nothing, arguments, 4, cudaMemcpyHostToHost) == cudaSuccess);
  // A managed variable is named by its address.
  size_t bytes = 0;
  CHECK(cudaGetSymbolSize(&bytes, together) == cudaSuccess && bytes == 4);
  CHECK(cudaMalloc(&memory, 64) == cudaSuccess);
  CHECK(cudaIpcGetMemHandle(&handle, memory) == cudaSuccess);
  CHECK(cudaIpcOpenMemHandle(&memory, handle, peers_when_needed) == cudaErrorDeviceUninitialized);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice") == 0);
  CHECK(std::strlen(cudaGetErrorString(cudaErrorInvalidDevice)) > 5);
  CHECK(std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(7777)), "unrecognized error code") == 0);
  cudaGetLastError();
}

// After a reset all is loaded anew.
void reset() {
  WELL(cudaDeviceReset());
  float* device = nullptr;
  WELL(cudaMalloc(reinterpret_cast<void**>(&device), 4));
  WELL(launch({1, 1, 1}, {1, 1, 1}, device, 1));
  unsigned count = 0;
  WELL(cudaMemcpyFromSymbol(&count, &counter, 4, 0, cudaMemcpyDeviceToHost));
  CHECK(count == 1);
}

// The next call tells that a kernel failed, and the process has no device any more (measured on an H100).
void failed_kernel() {
  WELL(launch({1, 1, 1}, {1, 1, 1}, reinterpret_cast<float*>(0x123456789000), 1));
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaFree(nullptr) == cudaErrorIllegalAddress);
  WELL(cudaDeviceReset());
  void* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4) == cudaErrorDevicesUnavailable);
  CHECK(cudaSetDevice(0) == cudaErrorDevicesUnavailable);
  int count = 0;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess && count == 1);
  WELL(cudaDeviceReset());
}

}  // namespace

int main() {
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &scale, &scale, "scale", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, &factor, &factor, "factor", 0, 4, 1, 0);
  __cudaRegisterVar(handle, &counter, &counter, "counter", 0, 4, 0, 0);
  __cudaRegisterManagedVar(handle, reinterpret_cast<void**>(&together), nullptr, "together", 0, 4, 0, 0);
  __cudaRegisterFatBinaryEnd(handle);
  CHECK(__cudaInitModule(handle) == 1);
  copies_and_launches();
  graphs();
  places();
  planes();
  streams();
  device();
  errors();
  reset();
  failed_kernel();
  __cudaUnregisterFatBinary(handle);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
