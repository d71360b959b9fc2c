/* Graphs that kernels launch, behind their own, beside it, once more, and what cudaGraphLaunch answers: as on
 * an H100 (driver 580.159.04), where the same kernels were built with nvcc. */
#include <string.h>

#include "tests/interposer/live/check.h"

/* note: a word more in the log. starts: 1000, 2000 and what each launch of `graph` answers, 1001. again: 3000
 * and the word behind the log, which is one less each time, until it is 0; it launches the graph it is in. */
static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b32 error) cudaGraphLaunch(.param .b64 graph, .param .b64 stream);\n"
    ".func put(.reg .b64 log, .reg .b32 what) {\n  .reg .b32 %r; .reg .b64 %d;\n"
    "  atom.global.add.u32 %r, [log], 1; mul.wide.u32 %d, %r, 4; add.u64 %d, %d, log;\n"
    "  st.global.u32 [%d+4], what; ret;\n}\n"
    ".func (.reg .b32 code) launch(.reg .b64 graph, .reg .b64 kind) {\n"
    "  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], graph; st.param.b64 [b], kind;\n"
    "    call.uni (c), cudaGraphLaunch, (a, b); ld.param.b32 code, [c]; }\n"
    "  add.u32 code, code, 2000; ret;\n}\n"
    ".visible .entry note(.param .u64 to, .param .u32 what) {\n  .reg .b64 %d; .reg .b32 %r;\n"
    "  ld.param.u64 %d, [to]; ld.param.u32 %r, [what]; call put, (%d, %r); ret;\n}\n"
    ".visible .entry starts(.param .u64 to, .param .u64 graph, .param .u64 kind, .param .u32 times) {\n"
    "  .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p;\n"
    "  ld.param.u64 %d0, [to]; ld.param.u64 %d1, [graph]; ld.param.u64 %d2, [kind];\n"
    "  ld.param.u32 %r1, [times]; mov.u32 %r0, 1000; call put, (%d0, %r0);\n"
    "more: call (%r0), launch, (%d1, %d2); call put, (%d0, %r0);\n"
    "  sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra more;\n"
    "  mov.u32 %r0, 1001; call put, (%d0, %r0); ret;\n}\n"
    ".visible .entry again(.param .u64 to) {\n  .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p;\n"
    "  ld.param.u64 %d0, [to]; ld.global.u32 %r0, [%d0+4096]; add.u32 %r1, %r0, 3000;\n"
    "  call put, (%d0, %r1); setp.eq.u32 %p, %r0, 0; @%p bra end;\n"
    "  sub.u32 %r0, %r0, 1; st.global.u32 [%d0+4096], %r0;\n"
    "  mov.u64 %d1, %current_graph_exec; mov.u64 %d2, 0x0100000000000000;\n"
    "  call (%r2), launch, (%d1, %d2); call put, (%d0, %r2);\nend: ret;\n}\n";

static const unsigned long long tail = 0x0100000000000000, beside = 0x0200000000000000,
                                sibling = 0x0300000000000000;
static CUdeviceptr list;
static CUstream stream;
static CUfunction note, starts, again;

static CUgraphNode add(CUgraph graph, const CUgraphNode* after, CUfunction function, void** parameters) {
  CUDA_KERNEL_NODE_PARAMS kernel;
  CUgraphNode made = NULL;
  memset(&kernel, 0, sizeof kernel);
  kernel.func = function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = parameters;
  CHECK(cuGraphAddKernelNode_v2(&made, graph, after, after != NULL, &kernel));
  return made;
}

static CUgraphExec ready(CUgraph graph, unsigned long long flags) {
  CUgraphExec made = NULL;
  CHECK(cuGraphInstantiate(&made, graph, flags));
  return made;
}

static CUgraphExec noting(unsigned what, unsigned long long flags) {
  CUgraph graph;
  void* parameters[] = {&list, &what};
  CHECK(cuGraphCreate(&graph, 0));
  add(graph, NULL, note, parameters);
  return ready(graph, flags);
}

/* What is in the log, as a text; it is empty then. */
static void expect(const char* wanted) {
  static unsigned words[1024];
  char got[256] = "";
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(words, list, sizeof words));
  for (unsigned i = 0; i < words[0] && strlen(got) < 200; ++i)
    sprintf(got + strlen(got), "%s%u", i == 0 ? "" : " ", words[i + 1]);
  if (strcmp(got, wanted) != 0) fprintf(stderr, "%s instead of %s\n", got, wanted);
  EXPECT(strcmp(got, wanted) == 0);
  CHECK(cuMemsetD8(list, 0, 4096));
}

/* A graph whose first kernel launches, and whose second one notes 50. */
static void launching(CUgraphExec graph, unsigned long long kind, unsigned times, const char* wanted) {
  unsigned fifty = 50;
  void *of_starts[] = {&list, &graph, &kind, &times}, *of_note[] = {&list, &fifty};
  CUgraph outer;
  CUgraphNode first;
  CUgraphExec made;
  CHECK(cuGraphCreate(&outer, 0));
  first = add(outer, NULL, starts, of_starts);
  add(outer, &first, note, of_note);
  made = ready(outer, 0);
  CHECK(cuGraphLaunch(made, stream));
  if (wanted == NULL) return;
  expect(wanted);
  CHECK(cuGraphExecDestroy(made));
}

int main(void) {
  CUcontext context;
  CUmodule module;
  CUgraph self;
  CUgraphExec inner, plain;
  unsigned left = 2;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&note, module, "note"));
  CHECK(cuModuleGetFunction(&starts, module, "starts"));
  CHECK(cuModuleGetFunction(&again, module, "again"));
  CHECK(cuMemAlloc(&list, 8192));
  CHECK(cuMemsetD8(list, 0, 8192));
  inner = noting(7, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
  plain = noting(5, 0);
  launching(inner, tail, 1, "1000 2000 1001 50 7");
  launching(inner, beside, 1, "1000 2000 1001 7 50");
  launching(inner, sibling, 1, "1000 2000 1001 7 50");
  /* It waits already. */
  launching(inner, tail, 2, "1000 2000 2001 1001 50 7");
  launching(inner, beside, 2, "1000 2000 2001 1001 7 50");
  launching(inner, 0, 1, "1000 2001 1001 50");
  launching(NULL, tail, 1, "1000 2001 1001 50");

  /* Which launches itself. */
  void* of_again[] = {&list};
  CHECK(cuMemcpyHtoD(list + 4096, &left, 4));
  CHECK(cuGraphCreate(&self, 0));
  add(self, NULL, again, of_again);
  CHECK(cuGraphLaunch(ready(self, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH), stream));
  expect("3002 2000 3001 2000 3000");

  /* One that kernels may not launch is no memory of the device. */
  launching(plain, tail, 1, NULL);
  EXPECT_CODE(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(stream));
  return wrong;
}
