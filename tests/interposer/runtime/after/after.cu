// What the runtime answers once a kernel has failed: a line "CODE\tcall" each. `FAILURE` is the failure's
// own.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

__device__ int word[4];
__global__ void store(int* to) { *to = 7; }
void on_host(void*) {}
void CUDART_CB called_back(cudaStream_t, cudaError_t, void*) {}

constexpr std::size_t bytes = 4096;
int *memory, *spare_memory, *pinned, *spare_pinned, *managed, *registered, *made, number,
    host[bytes / sizeof(int)];
static int to_register[bytes] __attribute__((aligned(4096)));
std::size_t size, another_size;
void* address;
float milliseconds;
unsigned flags;
unsigned long long id;
cudaStream_t stream, spare_stream, made_stream;
cudaEvent_t event, late_event, spare_event, made_event;
cudaArray_t array, spare_array, made_array;
cudaMipmappedArray_t mipmapped, made_mipmapped;
cudaTextureObject_t texture, made_texture;
cudaSurfaceObject_t surface, made_surface;
cudaGraph_t graph, spare_graph, made_graph;
cudaGraphNode_t node, made_node;
cudaGraphExec_t executable, spare_executable, made_executable;
cudaMemPool_t pool, spare_pool, made_pool;
cudaDeviceProp properties;
cudaPointerAttributes attributes;
cudaFuncAttributes function_attributes;
cudaChannelFormatDesc format;
cudaExtent extent;
cudaResourceDesc resource;
cudaTextureDesc sampling;
cudaLaunchAttributeValue value;
cudaStreamCaptureStatus status;
const char* text;

cudaKernelNodeParams launch_of(int** argument) {
  static void* arguments[1];
  arguments[0] = argument;
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void*>(store);
  launch.gridDim = launch.blockDim = dim3(1);
  launch.kernelParams = arguments;
  return launch;
}
const cudaKernelNodeParams launch = launch_of(&memory);
cudaMemsetParams filling() {
  cudaMemsetParams fill{};
  fill.dst = memory;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  return fill;
}
cudaMemPoolProps of_pool() {
  cudaMemPoolProps made_of{};
  made_of.allocType = cudaMemAllocationTypePinned;
  made_of.location.type = cudaMemLocationTypeDevice;
  return made_of;
}
cudaMemLocation here() {
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  return location;
}
template <class Made>
Made* with(const Made& one) {
  static Made kept;
  kept = one;
  return &kept;
}

#define MAKE(call)                                        \
  if (const cudaError_t code = call; code != cudaSuccess) \
  return std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(code)), false
bool make_objects() {
  MAKE(cudaMalloc(&memory, bytes));
  MAKE(cudaMalloc(&spare_memory, bytes));
  MAKE(cudaMallocHost(&pinned, bytes));
  MAKE(cudaMallocHost(&spare_pinned, bytes));
  MAKE(cudaMallocManaged(&managed, bytes));
  registered = to_register;
  MAKE(cudaHostRegister(registered, bytes, 0));
  for (cudaStream_t* one : {&stream, &spare_stream}) MAKE(cudaStreamCreate(one));
  for (cudaEvent_t* one : {&event, &late_event, &spare_event}) {
    MAKE(cudaEventCreate(one));
    MAKE(cudaEventRecord(*one, stream));
  }
  format = cudaCreateChannelDesc<float>();
  for (cudaArray_t* one : {&array, &spare_array}) MAKE(cudaMallocArray(one, &format, 16, 16));
  MAKE(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(16, 16, 0), 2));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  MAKE(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  cudaArray_t stored;
  MAKE(cudaMallocArray(&stored, &format, 16, 16, cudaArraySurfaceLoadStore));
  resource.res.array.array = stored;
  MAKE(cudaCreateSurfaceObject(&surface, &resource));
  for (cudaGraph_t* one : {&graph, &spare_graph}) MAKE(cudaGraphCreate(one, 0));
  MAKE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch));
  for (cudaGraphExec_t* one : {&executable, &spare_executable}) MAKE(cudaGraphInstantiate(one, graph, 0));
  for (cudaMemPool_t* one : {&pool, &spare_pool}) MAKE(cudaMemPoolCreate(one, with(of_pool())));
  MAKE(cudaMallocAsync(reinterpret_cast<void**>(&made), bytes, stream));
  MAKE(cudaGetSymbolAddress(&address, word));
  store<<<1, 1>>>(memory);
  return cudaDeviceSynchronize() == cudaSuccess;
}

#define CALLS(X)                                                                                             \
  X(cudaGetLastError())                                                                                      \
  X(cudaPeekAtLastError())                                                                                   \
  X(cudaDeviceSynchronize())                                                                                 \
  X(cudaGetDevice(&number))                                                                                  \
  X(cudaSetDevice(0))                                                                                        \
  X(cudaSetDevice(9))                                                                                        \
  X(cudaGetDeviceCount(&number))                                                                             \
  X(cudaGetDeviceProperties(&properties, 0))                                                                 \
  X(cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0))                                                 \
  X(cudaDeviceGetLimit(&size, cudaLimitStackSize))                                                           \
  X(cudaDeviceSetLimit(cudaLimitStackSize, 2048))                                                            \
  X(cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(&number)))                                     \
  X(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone))                                                       \
  X(cudaDeviceGetStreamPriorityRange(&number, nullptr))                                                      \
  X(cudaDeviceGetPCIBusId(reinterpret_cast<char*>(host), 64, 0))                                             \
  X(cudaDeviceGetDefaultMemPool(&made_pool, 0))                                                              \
  X(cudaDeviceGetMemPool(&made_pool, 0))                                                                     \
  X(cudaDeviceSetMemPool(0, pool))                                                                           \
  X(cudaDeviceCanAccessPeer(&number, 0, 0))                                                                  \
  X(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,                      \
                                       cudaFlushGPUDirectRDMAWritesToOwner))                                 \
  X(cudaGetDeviceFlags(&flags))                                                                              \
  X(cudaSetDeviceFlags(cudaDeviceScheduleSpin))                                                              \
  X(cudaInitDevice(0, 0, 0))                                                                                 \
  X(cudaChooseDevice(&number, &properties))                                                                  \
  X(cudaDriverGetVersion(&number))                                                                           \
  X(cudaRuntimeGetVersion(&number))                                                                          \
  X(cudaMemGetInfo(&size, &another_size))                                                                    \
  X(cudaMalloc(&made, bytes))                                                                                \
  X(cudaMalloc(&made, 0))                                                                                    \
  X(cudaMalloc(static_cast<void**>(nullptr), bytes))                                                         \
  X(cudaMallocHost(reinterpret_cast<void**>(&made), bytes))                                                  \
  X(cudaHostAlloc(reinterpret_cast<void**>(&made), bytes, 0))                                                \
  X(cudaMallocManaged(&made, bytes))                                                                         \
  X(cudaMallocManaged(&made, 0))                                                                             \
  X(cudaMallocPitch(&address, &size, 64, 4))                                                                 \
  X(cudaMallocArray(&made_array, &format, 16, 16))                                                           \
  X(cudaMalloc3DArray(&made_array, &format, make_cudaExtent(4, 4, 4)))                                       \
  X(cudaMallocMipmappedArray(&made_mipmapped, &format, make_cudaExtent(16, 16, 0), 2))                       \
  X(cudaMallocAsync(&address, bytes, stream))                                                                \
  X(cudaMallocFromPoolAsync(&address, bytes, pool, stream))                                                  \
  X(cudaFreeAsync(made, stream))                                                                             \
  X(cudaFree(nullptr))                                                                                       \
  X(cudaFree(spare_memory))                                                                                  \
  X(cudaFree(host))                                                                                          \
  X(cudaFreeHost(nullptr))                                                                                   \
  X(cudaFreeHost(spare_pinned))                                                                              \
  X(cudaFreeArray(nullptr))                                                                                  \
  X(cudaFreeArray(spare_array))                                                                              \
  X(cudaHostGetDevicePointer(&address, pinned, 0))                                                           \
  X(cudaHostGetFlags(&flags, pinned))                                                                        \
  X(cudaHostRegister(host, sizeof host, 0))                                                                  \
  X(cudaHostUnregister(registered))                                                                          \
  X(cudaPointerGetAttributes(&attributes, memory))                                                           \
  X(cudaPointerGetAttributes(&attributes, pinned))                                                           \
  X(cudaPointerGetAttributes(&attributes, host))                                                             \
  X(cudaMemcpy(host, memory, 64, cudaMemcpyDeviceToHost))                                                    \
  X(cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice))                                                    \
  X(cudaMemcpy(host, host + 64, 64, cudaMemcpyHostToHost))                                                   \
  X(cudaMemcpy(memory, host, 0, cudaMemcpyHostToDevice))                                                     \
  X(cudaMemcpy(memory, host, 64, static_cast<cudaMemcpyKind>(9)))                                            \
  X(cudaMemcpyAsync(memory, pinned, 64, cudaMemcpyHostToDevice, stream))                                     \
  X(cudaMemcpy2D(host, 64, memory, 64, 64, 2, cudaMemcpyDeviceToHost))                                       \
  X(cudaMemcpy2D(host, 64, memory, 64, 0, 2, cudaMemcpyDeviceToHost))                                        \
  X(cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 4, cudaMemcpyHostToDevice))                               \
  X(cudaMemcpyPeer(memory, 0, memory, 0, 64))                                                                \
  X(cudaMemcpyToSymbol(word, host, 4))                                                                       \
  X(cudaMemcpyFromSymbol(host, word, 4))                                                                     \
  X(cudaGetSymbolAddress(&address, word))                                                                    \
  X(cudaGetSymbolSize(&size, word))                                                                          \
  X(cudaGetSymbolAddress(&address, host))                                                                    \
  X(cudaMemset(memory, 0, 64))                                                                               \
  X(cudaMemset(memory, 0, 0))                                                                                \
  X(cudaMemsetAsync(memory, 0, 64, stream))                                                                  \
  X(cudaMemset2D(memory, 64, 0, 64, 2))                                                                      \
  X(cudaMemset2D(memory, 64, 0, 64, 0))                                                                      \
  X(cudaMemAdvise(managed, bytes, cudaMemAdviseSetReadMostly, here()))                                       \
  X(cudaMemPrefetchAsync(managed, bytes, here(), 0, stream))                                                 \
  X(cudaArrayGetInfo(&format, &extent, &flags, array))                                                       \
  X(cudaGetChannelDesc(&format, array))                                                                      \
  X(cudaGetMipmappedArrayLevel(&made_array, mipmapped, 1))                                                   \
  X(cudaCreateTextureObject(&made_texture, &resource, &sampling, nullptr))                                   \
  X(cudaGetTextureObjectResourceDesc(&resource, texture))                                                    \
  X(cudaGetTextureObjectTextureDesc(&sampling, texture))                                                     \
  X(cudaDestroyTextureObject(texture))                                                                       \
  X(cudaCreateSurfaceObject(&made_surface, &resource))                                                       \
  X(cudaDestroySurfaceObject(surface))                                                                       \
  X(cudaStreamCreate(&made_stream))                                                                          \
  X(cudaStreamCreateWithFlags(&made_stream, cudaStreamNonBlocking))                                          \
  X(cudaStreamCreateWithFlags(&made_stream, 99))                                                             \
  X(cudaStreamCreateWithPriority(&made_stream, 0, 0))                                                        \
  X(cudaStreamDestroy(spare_stream))                                                                         \
  X(cudaStreamSynchronize(stream))                                                                           \
  X(cudaStreamSynchronize(nullptr))                                                                          \
  X(cudaStreamQuery(stream))                                                                                 \
  X(cudaStreamGetFlags(stream, &flags))                                                                      \
  X(cudaStreamGetPriority(stream, &number))                                                                  \
  X(cudaStreamGetId(stream, &id))                                                                            \
  X(cudaStreamGetDevice(stream, &number))                                                                    \
  X(cudaStreamWaitEvent(stream, event))                                                                      \
  X(cudaStreamAddCallback(stream, called_back, nullptr, 0))                                                  \
  X(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal))                                             \
  X(cudaStreamIsCapturing(stream, &status))                                                                  \
  X(cudaStreamEndCapture(stream, &made_graph))                                                               \
  X(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value))                                     \
  X(cudaStreamCopyAttributes(stream, stream))                                                                \
  X(cudaStreamAttachMemAsync(stream, managed, 0))                                                            \
  X(cudaCtxResetPersistingL2Cache())                                                                         \
  X(cudaLaunchHostFunc(stream, on_host, nullptr))                                                            \
  X(cudaEventCreate(&made_event))                                                                            \
  X(cudaEventCreateWithFlags(&made_event, cudaEventDisableTiming))                                           \
  X(cudaEventRecord(event, stream))                                                                          \
  X(cudaEventQuery(event))                                                                                   \
  X(cudaEventSynchronize(event))                                                                             \
  X(cudaEventElapsedTime(&milliseconds, event, late_event))                                                  \
  X(cudaEventDestroy(spare_event))                                                                           \
  X(cudaFuncGetAttributes(&function_attributes, store))                                                      \
  X(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024))                          \
  X(cudaFuncSetCacheConfig(store, cudaFuncCachePreferNone))                                                  \
  X(cudaFuncGetName(&text, reinterpret_cast<const void*>(store)))                                            \
  X(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, store, 32, 0))                                    \
  X(cudaOccupancyAvailableDynamicSMemPerBlock(&size, store, 1, 32))                                          \
  X(cudaLaunchKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(1), launch.kernelParams, 0,         \
                     stream))                                                                                \
  X(cudaLaunchKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(2048), launch.kernelParams, 0,      \
                     stream))                                                                                \
  X(cudaLaunchKernel(static_cast<const void*>(host), dim3(1), dim3(1), launch.kernelParams, 0, stream))      \
  X(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(1), launch.kernelParams, \
                                0, stream))                                                                  \
  X(cudaGraphCreate(&made_graph, 0))                                                                         \
  X(cudaGraphAddEmptyNode(&made_node, graph, nullptr, 0))                                                    \
  X(cudaGraphAddKernelNode(&made_node, graph, nullptr, 0, &launch))                                          \
  X(cudaGraphAddMemsetNode(&made_node, graph, nullptr, 0, with(filling())))                                  \
  X(cudaGraphAddMemcpyNode1D(&made_node, graph, nullptr, 0, host, memory, 64, cudaMemcpyDeviceToHost))       \
  X(cudaGraphKernelNodeSetParams(node, &launch))                                                             \
  X(cudaGraphClone(&made_graph, graph))                                                                      \
  X(cudaGraphGetNodes(graph, nullptr, &size))                                                                \
  X(cudaGraphInstantiate(&made_executable, graph, 0))                                                        \
  X(cudaGraphInstantiate(&made_executable, graph, 0x1000))                                                   \
  X(cudaGraphExecKernelNodeSetParams(executable, node, &launch))                                             \
  X(cudaGraphUpload(executable, stream))                                                                     \
  X(cudaGraphLaunch(executable, stream))                                                                     \
  X(cudaGraphExecDestroy(spare_executable))                                                                  \
  X(cudaGraphDestroy(spare_graph))                                                                           \
  X(cudaDeviceGraphMemTrim(0))                                                                               \
  X(cudaMemPoolCreate(&made_pool, with(of_pool())))                                                          \
  X(cudaMemPoolTrimTo(pool, 0))                                                                              \
  X(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &id))                                       \
  X(cudaMemPoolDestroy(spare_pool))                                                                          \
  X(cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(host), memory))                                \
  X(cudaProfilerStart())                                                                                     \
  X(cudaProfilerStop())                                                                                      \
  X(cudaGetLastError())                                                                                      \
  X(cudaGetLastError())                                                                                      \
  X(cudaDeviceReset())                                                                                       \
  X(cudaGetLastError())                                                                                      \
  X(cudaDeviceSynchronize())                                                                                 \
  X(cudaMalloc(&made, bytes))                                                                                \
  X(cudaFree(nullptr))                                                                                       \
  X(cudaGetDeviceCount(&number))                                                                             \
  X(cudaSetDevice(0))                                                                                        \
  X(cudaStreamCreate(&made_stream))                                                                          \
  X(cudaGraphCreate(&made_graph, 0))

}  // namespace

int main() {
  if (!make_objects()) return 1;
  store<<<1, 1>>>(reinterpret_cast<int*>(16));
  const cudaError_t failure = cudaDeviceSynchronize();
  const auto tell = [&](cudaError_t code, const char* call) {
    std::printf("%s\t%s\n", code == failure ? "FAILURE" : cudaGetErrorName(code), call);
    std::fflush(stdout);
  };
#define X(...) tell(__VA_ARGS__, #__VA_ARGS__);
  CALLS(X)
#undef X
  return failure == cudaErrorIllegalAddress ? 0 : 1;
}
