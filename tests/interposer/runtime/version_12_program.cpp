// What libcudart.so.12 has in another form: structs that were smaller, functions that took less.
#include <cstring>

#include "runtime_12_functions.h"
#include "tests/interposer/runtime/registered.h"

namespace {

const char ptx[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry first(.param .u64 t, .param .u64 p) {
  .reg .b64 %d<2>; .reg .b32 %r<5>;
  ld.param.u64 %d0, [t]; ld.param.u64 %d1, [p]; mov.u32 %r0, 1;
  tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%d0, {%r0}]; st.global.u32 [%d1], %r1; ret; })";

FatbinWrapper wrapper{.data = ptx};
char first;

// Behind each struct lies what must stay.
template <class Struct>
struct Guarded {
  Struct value{};
  unsigned char behind[96];
  Guarded() { std::memset(behind, 0x5a, sizeof behind); }
  bool whole() const {
    for (const unsigned char byte : behind)
      if (byte != 0x5a) return false;
    return true;
  }
};

void structs() {
  Guarded<cudaDeviceProp12> properties;
  WELL(cudaGetDeviceProperties_v2(&properties.value, 0));
  CHECK(properties.whole() && properties.value.major == 9 && properties.value.warpSize == 32);
  CHECK(properties.value.clockRate > 0 && properties.value.clusterLaunch == 1);
  CHECK(std::strstr(properties.value.name, "H200") != nullptr);
  unsigned *memory = nullptr, seen = 0;
  const unsigned texels[] = {10, 20, 30, 40};
  WELL(cudaMalloc(reinterpret_cast<void**>(&memory), 512));
  WELL(cudaMemcpy(memory, texels, sizeof texels, cudaMemcpyHostToDevice));
  Guarded<cudaPointerAttributes12> pointer;
  WELL(cudaPointerGetAttributes(&pointer.value, memory));
  CHECK(pointer.whole() && pointer.value.type == cudaMemoryTypeDevice &&
        pointer.value.devicePointer == memory);
  Guarded<cudaResourceDesc12> resource, of;
  resource.value.resType = cudaResourceTypeLinear;
  resource.value.res.linear = {memory, {32, 0, 0, 0, cudaChannelFormatKindUnsigned}, sizeof texels};
  cudaTextureDesc how{};
  cudaTextureObject_t texture = 0;
  WELL(cudaCreateTextureObject(&texture, &resource.value, &how, nullptr));
  WELL(cudaGetTextureObjectResourceDesc(&of.value, texture));
  CHECK(of.whole() && of.value.res.linear.sizeInBytes == sizeof texels);
  unsigned* const out = memory + 64;
  void* arguments[] = {&texture, const_cast<unsigned**>(&out)};
  WELL(cudaLaunchKernel(&first, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr));
  WELL(cudaMemcpy(&seen, out, 4, cudaMemcpyDeviceToHost));
  CHECK(seen == 20);
  WELL(cudaFree(memory));
}

void functions() {
  int version = 0;
  WELL(cudaRuntimeGetVersion(&version));
  CHECK(version == 12090);
  void* managed = nullptr;
  WELL(cudaMallocManaged(&managed, 64, 1));
  WELL(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0));
  WELL(cudaMemPrefetchAsync(managed, 64, 0, nullptr));
  WELL(cudaMemPrefetchAsync_v2(managed, 64, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
  WELL(cudaFree(managed));
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t before = nullptr, after = nullptr;
  std::size_t count = 0;
  WELL(cudaGraphCreate(&graph, 0));
  WELL(cudaGraphAddEmptyNode(&before, graph, nullptr, 0));
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeEmpty;
  WELL(cudaGraphAddNode(&after, graph, nullptr, 0, &node));
  WELL(cudaGraphAddDependencies(graph, &before, &after, 1));
  WELL(cudaGraphGetEdges_v2(graph, nullptr, nullptr, nullptr, &count));
  CHECK(count == 1);
  WELL(cudaGraphDestroy(graph));
  WELL(cudaThreadSynchronize());
  WELL(cudaThreadExit());
}

}  // namespace

int main() {
  void** const handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &first, &first, "first", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  structs();
  functions();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
