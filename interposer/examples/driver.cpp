// The driver API: PTX text, module globals, a launch with packed parameters, one with CU_LAUNCH_PARAM_BUFFER,
// a graph. Prints one line and returns 0 if every result is right.
#include <cuda.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const CUresult result = (call);                                                          \
    if (result != CUDA_SUCCESS) {                                                            \
      const char* name = nullptr;                                                            \
      cuGetErrorName(result, &name);                                                         \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name ? name : "?"); \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

static const char* const kPtx = R"(
.version 7.8
.target sm_75
.address_size 64

.global .align 4 .u32 bias = 3;

// data[i] = data[i] * factor + bias
.visible .entry transform(.param .u64 data, .param .u32 count, .param .u16 factor)
{
  .reg .pred %p;
  .reg .b16 %h;
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r0, [count];
  ld.param.u16 %h, [factor];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  setp.ge.u32 %p, %r1, %r0;
  @%p bra done;
  cvta.to.global.u64 %d0, %d0;
  mul.wide.u32 %d1, %r1, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r4, [%d0];
  cvt.u32.u16 %r5, %h;
  ld.global.u32 %r6, [bias];
  mad.lo.u32 %r4, %r4, %r5, %r6;
  st.global.u32 [%d0], %r4;
done:
  ret;
}
)";

int main() {
  constexpr unsigned kCount = 1000;
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));

  CUmodule module;
  CUfunction transform;
  CHECK(cuModuleLoadData(&module, kPtx));
  CHECK(cuModuleGetFunction(&transform, module, "transform"));
  CUdeviceptr bias = 0;
  size_t bias_size = 0;
  CHECK(cuModuleGetGlobal(&bias, &bias_size, module, "bias"));

  std::vector<unsigned> data(kCount);
  for (unsigned i = 0; i < kCount; ++i) data[i] = i;
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, kCount * 4));
  CHECK(cuMemcpyHtoD(memory, data.data(), kCount * 4));

  unsigned count = kCount;
  unsigned short factor = 5;
  void* parameters[] = {&memory, &count, &factor};
  CHECK(cuLaunchKernel(transform, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));

  CHECK(cuMemsetD32(bias, 11, 1));
  struct Packed {
    CUdeviceptr memory;
    unsigned count;
    unsigned short factor;
  } packed = {memory, kCount, 2};
  size_t packed_size = offsetof(Packed, factor) + sizeof packed.factor;  // without the struct's padding
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_size,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(transform, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));

  CUstream stream;
  CUgraph graph;
  CUgraphExec executable;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuCtxSynchronize());
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CHECK(cuLaunchKernel(transform, 8, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));

  CHECK(cuMemcpyDtoH(data.data(), memory, kCount * 4));
  int wrong = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    unsigned expected = (i * 5 + 3) * 2 + 11;
    for (int launch = 0; launch < 2; ++launch) expected = expected * 5 + 11;
    wrong += data[i] != expected;
  }
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy(stream));
  CHECK(cuMemFree(memory));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  std::printf("driver: %d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
