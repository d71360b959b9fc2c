// The driver API with a context on each of two devices: a module loaded into both, a library whose kernels run where their
// stream lies, a graph of kernels of both, copies that name contexts.
#include <cuda.h>

#include <string>

#include "common/program.h"

#define DRIVER_CHECK(call) driver_check((call), #call, __LINE__)

static void driver_check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "unknown error";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, name);
  std::exit(2);
}

// data[i] = data[i] * factor + i; used counts the threads of a context.
static const char* const kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .global .align 4 .u32 used;
.visible .entry scale(.param .u64 data, .param .u32 count) {
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u32 %r1, [count];
  setp.ge.u32 %p, %r0, %r1;
  @%p ret;
  ld.param.u64 %d0, [data];
  cvta.to.global.u64 %d0, %d0;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r3, [%d0];
  ld.global.u32 %r4, [factor];
  mad.lo.u32 %r3, %r3, %r4, %r0;
  st.global.u32 [%d0], %r3;
  red.global.add.u32 [used], 1;
  ret;
}
)";

struct Side {
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUstream stream;
  CUdeviceptr data, factor, used;
};

int main(int argc, char** argv) {
  unsigned n = program::argument(argc, argv, 1, 2000);
  const unsigned block = 64, grid = program::blocks_for(n, block);
  const size_t bytes = n * sizeof(unsigned);
  DRIVER_CHECK(cuInit(0));
  int count = 0;
  DRIVER_CHECK(cuDeviceGetCount(&count));
  Side sides[2] = {};
  CUlibrary library;
  CUcontext popped;
  CUkernel kernel;
  const unsigned factors[2] = {5, 7};
  std::vector<unsigned> expected[2], got(n);
  for (int d = 0; d < 2; ++d) {
    Side& side = sides[d];
    DRIVER_CHECK(cuCtxCreate(&side.context, nullptr, 0, d < count ? d : 0));
    DRIVER_CHECK(cuModuleLoadData(&side.module, kPtx));
    DRIVER_CHECK(cuModuleGetFunction(&side.function, side.module, "scale"));
    size_t size;
    DRIVER_CHECK(cuModuleGetGlobal(&side.factor, &size, side.module, "factor"));
    DRIVER_CHECK(cuModuleGetGlobal(&side.used, &size, side.module, "used"));
    DRIVER_CHECK(cuMemcpyHtoD(side.factor, &factors[d], sizeof factors[d]));
    DRIVER_CHECK(cuMemAlloc(&side.data, bytes));
    DRIVER_CHECK(cuStreamCreate(&side.stream, CU_STREAM_NON_BLOCKING));
    expected[d].resize(n);
    for (unsigned i = 0; i < n; ++i) expected[d][i] = i * 2654435761u + d;
    DRIVER_CHECK(cuMemcpyHtoD(side.data, expected[d].data(), bytes));
    void* parameters[] = {&side.data, &n};
    DRIVER_CHECK(cuLaunchKernel(side.function, grid, 1, 1, block, 1, 1, 0, side.stream, parameters, nullptr));
    DRIVER_CHECK(cuStreamSynchronize(side.stream));
    for (unsigned i = 0; i < n; ++i) expected[d][i] = expected[d][i] * factors[d] + i;
    DRIVER_CHECK(cuCtxPopCurrent(&popped));
  }
  if (count > 1) {
    int can = 0;
    DRIVER_CHECK(cuDeviceCanAccessPeer(&can, 0, 1));
    for (int d = 0; can && d < 2; ++d) {
      DRIVER_CHECK(cuCtxPushCurrent(sides[d].context));
      DRIVER_CHECK(cuCtxEnablePeerAccess(sides[1 - d].context, 0));
      DRIVER_CHECK(cuCtxPopCurrent(&popped));
    }
  }

  // A library belongs to no context: each has an instance of its kernel and of its variables.
  DRIVER_CHECK(cuLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  DRIVER_CHECK(cuLibraryGetKernel(&kernel, library, "scale"));
  const unsigned library_factors[2] = {11, 13};
  for (int d = 0; d < 2; ++d) {
    Side& side = sides[d];
    DRIVER_CHECK(cuCtxPushCurrent(side.context));
    CUdeviceptr factor, used;
    size_t size;
    DRIVER_CHECK(cuLibraryGetGlobal(&factor, &size, library, "factor"));
    DRIVER_CHECK(cuLibraryGetGlobal(&used, &size, library, "used"));
    DRIVER_CHECK(cuMemcpyHtoD(factor, &library_factors[d], sizeof(unsigned)));
    void* parameters[] = {&side.data, &n};
    for (int twice = 0; twice < 1 + d; ++twice) {
      DRIVER_CHECK(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), grid, 1, 1, block, 1, 1, 0, side.stream,
                                  parameters, nullptr));
      for (unsigned i = 0; i < n; ++i) expected[d][i] = expected[d][i] * library_factors[d] + i;
    }
    DRIVER_CHECK(cuStreamSynchronize(side.stream));
    side.factor = factor;
    side.used = used;
    DRIVER_CHECK(cuCtxPopCurrent(&popped));
  }

  // Launched from the first context into a stream of the second.
  DRIVER_CHECK(cuCtxPushCurrent(sides[0].context));
  void* of_second[] = {&sides[1].data, &n};
  DRIVER_CHECK(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), grid, 1, 1, block, 1, 1, 0, sides[1].stream,
                              of_second, nullptr));
  for (unsigned i = 0; i < n; ++i) expected[1][i] = expected[1][i] * library_factors[1] + i;
  DRIVER_CHECK(cuStreamSynchronize(sides[1].stream));

  // A graph: the kernel on each device, then the second's half to the first.
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode nodes[3];
  DRIVER_CHECK(cuGraphCreate(&graph, 0));
  for (int d = 0; d < 2; ++d) {
    void* parameters[] = {&sides[d].data, &n};
    CUDA_KERNEL_NODE_PARAMS node = {};
    node.gridDimX = grid;
    node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    node.blockDimX = block;
    node.kernelParams = parameters;
    node.kern = kernel;
    node.ctx = sides[d].context;
    DRIVER_CHECK(cuGraphAddKernelNode(&nodes[d], graph, nullptr, 0, &node));
    for (unsigned i = 0; i < n; ++i) expected[d][i] = expected[d][i] * library_factors[d] + i;
  }
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = sides[1].data;
  copy.dstDevice = sides[0].data;
  copy.WidthInBytes = bytes / 2;
  copy.Height = copy.Depth = 1;
  DRIVER_CHECK(cuGraphAddMemcpyNode(&nodes[2], graph, nodes, 2, &copy, sides[0].context));
  std::memcpy(expected[0].data(), expected[1].data(), bytes / 2);
  DRIVER_CHECK(cuGraphInstantiate(&executable, graph, 0));
  DRIVER_CHECK(cuGraphLaunch(executable, sides[0].stream));
  DRIVER_CHECK(cuStreamSynchronize(sides[0].stream));

  // Copies that name the contexts.
  CUdeviceptr spare;
  DRIVER_CHECK(cuMemAlloc(&spare, bytes));
  DRIVER_CHECK(cuMemcpyPeer(spare, sides[0].context, sides[1].data, sides[1].context, bytes));
  DRIVER_CHECK(cuMemcpyDtoH(got.data(), spare, bytes));
  bool pass = program::equal_bits("peer copy", got, expected[1]);
  DRIVER_CHECK(cuMemcpyPeerAsync(sides[1].data, sides[1].context, sides[0].data, sides[0].context, bytes,
                                 sides[0].stream));
  DRIVER_CHECK(cuStreamSynchronize(sides[0].stream));
  DRIVER_CHECK(cuMemcpyDtoH(got.data(), sides[1].data, bytes));
  pass = program::equal_bits("peer copy back", got, expected[0]) && pass;
  DRIVER_CHECK(cuMemcpyDtoH(got.data(), sides[0].data, bytes));
  pass = program::equal_bits("first", got, expected[0]) && pass;
  DRIVER_CHECK(cuCtxPopCurrent(&popped));
  for (int d = 0; d < 2; ++d) {
    unsigned used = 0;
    DRIVER_CHECK(cuCtxPushCurrent(sides[d].context));
    DRIVER_CHECK(cuMemcpyDtoH(&used, sides[d].used, sizeof used));
    pass = used == (d == 0 ? 2 : 4) * n && pass;
    DRIVER_CHECK(cuCtxPopCurrent(&popped));
  }
  DRIVER_CHECK(cuGraphExecDestroy(executable));
  DRIVER_CHECK(cuGraphDestroy(graph));
  DRIVER_CHECK(cuLibraryUnload(library));
  for (const Side& side : sides) DRIVER_CHECK(cuCtxDestroy(side.context));
  return program::verdict("two_contexts", pass);
}
