/* Which nodes name those of an executable graph: not those of graphs that are gone. */
#include "tell.h"

static const char* ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 to) {\n .reg .b64 %d; "
    "ld.param.u64 %d, [to]; st.global.u32 [%d], 7; ret;\n}\n";
int main() {
  CUcontext c;
  CUmodule m;
  CUfunction f;
  CUdeviceptr p;
  CUgraph g, clone;
  CUgraphNode n, s, twin, twin_s;
  CUgraphExec x;
  unsigned on;
  CUgraphExecUpdateResultInfo info;
  cuInit(0);
  cuCtxCreate(&c, 0, 0, 0);
  cuModuleLoadData(&m, ptx);
  cuModuleGetFunction(&f, m, "k");
  cuMemAlloc(&p, 64);
  void* a[] = {&p};
  CUDA_KERNEL_NODE_PARAMS k = {.func = f,
                               .gridDimX = 1,
                               .gridDimY = 1,
                               .gridDimZ = 1,
                               .blockDimX = 1,
                               .blockDimY = 1,
                               .blockDimZ = 1,
                               .kernelParams = a};
  CUDA_MEMSET_NODE_PARAMS fill = {.dst = p, .value = 1, .elementSize = 4, .width = 4, .height = 1};
  cuGraphCreate(&g, 0);
  cuGraphAddKernelNode(&n, g, 0, 0, &k);
  cuGraphAddMemsetNode(&s, g, &n, 1, &fill, c);
  cuGraphClone(&clone, g);
  cuGraphNodeFindInClone(&twin, n, clone);
  cuGraphNodeFindInClone(&twin_s, s, clone);
  cuGraphInstantiate(&x, g, 0);
  T(cuGraphNodeSetEnabled(x, n, 0));
  T(cuGraphNodeGetEnabled(x, n, &on));
  T(cuGraphNodeSetEnabled(x, twin, 1));
  T(cuGraphNodeGetEnabled(x, twin, &on));
  T(cuGraphNodeSetEnabled(x, n, 1));
  T(cuGraphExecKernelNodeSetParams(x, twin, &k));
  T(cuGraphExecMemsetNodeSetParams(x, twin_s, &fill, c));
  T(cuGraphExecUpdate(x, clone, &info));
  T(cuGraphNodeSetEnabled(x, n, 0));
  T(cuGraphNodeSetEnabled(x, twin, 0));
  T(cuGraphExecKernelNodeSetParams(x, n, &k));
  T(cuGraphExecKernelNodeSetParams(x, twin, &k));
  T(cuGraphExecMemsetNodeSetParams(x, s, &fill, c));
  T(cuGraphExecMemsetNodeSetParams(x, twin_s, &fill, c));
  T(cuGraphDestroy(g));
  T(cuGraphNodeSetEnabled(x, n, 0));
  T(cuGraphNodeGetEnabled(x, n, &on));
  T(cuGraphExecKernelNodeSetParams(x, n, &k));
  T(cuGraphExecMemsetNodeSetParams(x, s, &fill, c));
  T(cuGraphNodeSetEnabled(x, twin, 0));
  T(cuGraphExecKernelNodeSetParams(x, twin, &k));
  T(cuGraphLaunch(x, 0));
  T(cuCtxSynchronize());
  T(cuGraphDestroy(clone));
  T(cuGraphNodeSetEnabled(x, twin, 0));
  T(cuGraphExecKernelNodeSetParams(x, twin, &k));
  T(cuGraphLaunch(x, 0));
  T(cuCtxSynchronize());
  cuGraphCreate(&g, 0);
  cuGraphAddKernelNode(&n, g, 0, 0, &k);
  cuGraphAddMemsetNode(&s, g, &n, 1, &fill, c);
  cuGraphInstantiate(&x, g, 0);
  T(cuGraphDestroyNode(n));
  T(cuGraphNodeSetEnabled(x, n, 0));
  T(cuGraphExecKernelNodeSetParams(x, n, &k));
  T(cuGraphNodeSetEnabled(x, s, 0));
  T(cuGraphLaunch(x, 0));
  T(cuCtxSynchronize());
  return 0;
}
