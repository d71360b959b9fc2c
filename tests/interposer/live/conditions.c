/* Graphs that decide: if and else, while, switch, one inside another; begun anew, updated, recorded by a
 * stream. */
#include <string.h>

#include "tests/interposer/live/check.h"

/* down: log = 3 log + word; the condition is --word. note: log = 7 log + value. */
static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
    ".visible .entry down(.param .u64 words, .param .u64 handle) {\n"
    "  .reg .b64 %d<2>; .reg .b32 %r<6>;\n"
    "  ld.param.u64 %d0, [words]; ld.param.u64 %d1, [handle];\n"
    "  ld.global.u32 %r0, [%d0]; ld.global.u32 %r1, [%d0+4];\n"
    "  mad.lo.u32 %r2, %r1, 3, %r0; st.global.u32 [%d0+4], %r2;\n"
    "  sub.u32 %r3, %r0, 1; st.global.u32 [%d0], %r3;\n"
    "  { .param .b64 a; .param .b32 b; st.param.b64 [a], %d1; st.param.b32 [b], %r3;\n"
    "    call.uni cudaGraphSetConditional, (a, b); }\n  ret;\n}\n"
    ".visible .entry note(.param .u64 words, .param .u32 value) {\n"
    "  .reg .b64 %d0; .reg .b32 %r<3>;\n"
    "  ld.param.u64 %d0, [words]; ld.param.u32 %r0, [value]; ld.global.u32 %r1, [%d0+4];\n"
    "  mad.lo.u32 %r2, %r1, 7, %r0; st.global.u32 [%d0+4], %r2;\n  ret;\n}\n";

enum { assign_default = 1 };

static CUcontext context;
static CUdeviceptr words;
static CUstream stream;
static CUfunction down, note;

static CUgraphConditionalHandle handle_of(CUgraph graph, unsigned first, unsigned flags) {
  CUgraphConditionalHandle handle = 0;
  CHECK(cuGraphConditionalHandleCreate(&handle, graph, context, first, flags));
  return handle;
}

/* Measured on an H100: they are counted in each graph. */
static void handles_are_numbers(void) {
  CUgraph graph, body;
  CHECK(cuGraphCreate(&graph, 0));
  EXPECT(handle_of(graph, 0, 0) == 1);
  EXPECT(handle_of(graph, 7, assign_default) == 2);
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphCreate(&body, 0));
  EXPECT(handle_of(body, 0, 0) == 1);
  CHECK(cuGraphDestroy(body));
}

static CUgraphNode decide(CUgraph graph, const CUgraphNode* after, CUgraphConditionalHandle handle,
                          CUgraphConditionalNodeType type, unsigned size, CUgraph* bodies) {
  CUgraphNodeParams node;
  CUgraphNode made = NULL;
  memset(&node, 0, sizeof node);
  node.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  node.conditional.handle = handle;
  node.conditional.type = type;
  node.conditional.size = size;
  node.conditional.ctx = context;
  CHECK(cuGraphAddNode_v2(&made, graph, after, NULL, after != NULL, &node));
  memcpy(bodies, node.conditional.phGraph_out, size * sizeof *bodies);
  return made;
}

static CUgraphNode launch(CUgraph graph, const CUgraphNode* after, CUfunction function, void* second) {
  void* parameters[] = {&words, second};
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
static CUgraphNode launch_note(CUgraph graph, const CUgraphNode* after, unsigned value) {
  return launch(graph, after, note, &value);
}

static void run(CUgraphExec executable, unsigned first, unsigned word, unsigned log) {
  unsigned values[2] = {0, 1};
  values[0] = first;
  CHECK(cuMemcpyHtoD(words, values, sizeof values));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(values, words, sizeof values));
  if (values[0] != word || values[1] != log)
    fprintf(stderr, "%u and %u instead of %u and %u\n", values[0], values[1], word, log);
  EXPECT(values[0] == word && values[1] == log);
}

static CUgraphExec ready(CUgraph graph) {
  CUgraphExec executable = NULL;
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  return executable;
}

static void while_from_a_stream(void) {
  CUgraph graph, body, same = NULL;
  CUgraphExec executable;
  CUgraphNodeType type;
  CUgraphNode node;
  CUgraphConditionalHandle handle;
  void* parameters[] = {&words, &handle};
  CHECK(cuGraphCreate(&graph, 0));
  handle = handle_of(graph, 1, assign_default);
  node = decide(graph, NULL, handle, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
  CHECK(cuGraphNodeGetType(node, &type));
  EXPECT(type == CU_GRAPH_NODE_TYPE_CONDITIONAL);
  CHECK(cuStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuLaunchKernel(down, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
  CHECK(cuStreamEndCapture(stream, &same));
  EXPECT(same == body);
  executable = ready(graph);
  run(executable, 3, 0, ((3 + 3) * 3 + 2) * 3 + 1);
  run(executable, 1, 0, 4); /* the default again, though the last value was 0 */
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
}

/* A stream that is captured gets a node that it could not record: down, then while down, then note. */
static void while_between(void) {
  CUgraph graph, body;
  CUgraphExec executable;
  CUstreamCaptureStatus status;
  CUgraphConditionalHandle handle;
  const CUgraphNode* after;
  const CUgraphEdgeData* edges = NULL;
  CUgraphNode node;
  size_t count = 0;
  unsigned value = 5;
  void *to_down[] = {&words, &handle}, *to_note[] = {&words, &value};
  CUstream other;
  CHECK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuStreamGetCaptureInfo_v3(stream, &status, NULL, &graph, &after, NULL, &count));
  handle = handle_of(graph, 0, 0);
  CHECK(cuLaunchKernel(down, 1, 1, 1, 1, 1, 1, 0, stream, to_down, NULL));
  CHECK(cuStreamGetCaptureInfo_v3(stream, &status, NULL, &graph, &after, &edges, &count));
  EXPECT(count == 1);
  EXPECT(edges != NULL && edges[0].type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT); /* cuda.bindings reads it */
  node = decide(graph, after, handle, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
  CHECK(cuStreamUpdateCaptureDependencies_v2(stream, &node, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK(cuLaunchKernel(note, 1, 1, 1, 1, 1, 1, 0, stream, to_note, NULL));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuStreamBeginCaptureToGraph(other, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CHECK(cuLaunchKernel(down, 1, 1, 1, 1, 1, 1, 0, other, to_down, NULL));
  CHECK(cuStreamEndCapture(other, NULL)); /* whose graph is known already */
  executable = ready(graph);
  run(executable, 1, 0, 4 * 7 + 5); /* no more of the loop */
  run(executable, 3, 0, (((3 + 3) * 3 + 2) * 3 + 1) * 7 + 5);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamDestroy_v2(other));
}

static void if_and_else(unsigned first, unsigned log) {
  CUgraph graph, bodies[2];
  CUgraphNode node;
  CUgraphExec executable;
  CHECK(cuGraphCreate(&graph, 0));
  node = decide(graph, NULL, handle_of(graph, first, assign_default), CU_GRAPH_COND_TYPE_IF, 2, bodies);
  launch_note(bodies[0], NULL, 11);
  launch_note(bodies[1], NULL, 13);
  launch_note(graph, &node, 17);
  executable = ready(graph);
  run(executable, 0, 0, log);
  CHECK(cuGraphDestroy(graph)); /* the executable graph needs it no more */
  run(executable, 0, 0, log);
  CHECK(cuGraphExecDestroy(executable));
}

static void if_alone_and_switch(void) {
  CUgraph graph, bodies[3];
  CUgraphNode node;
  CUgraphConditionalHandle handle;
  CUgraphExec executable;
  unsigned i;
  CHECK(cuGraphCreate(&graph, 0));
  decide(graph, NULL, handle_of(graph, 0, assign_default), CU_GRAPH_COND_TYPE_IF, 1, bodies);
  launch_note(bodies[0], NULL, 99);
  handle = handle_of(graph, 0, 0);
  node = launch(graph, NULL, down, &handle);
  decide(graph, &node, handle, CU_GRAPH_COND_TYPE_SWITCH, 3, bodies);
  for (i = 0; i < 3; ++i) launch_note(bodies[i], NULL, 20 + i);
  executable = ready(graph);
  run(executable, 1, 0, 4 * 7 + 20);
  run(executable, 3, 2, 6 * 7 + 22);
  run(executable, 9, 8, 12); /* no body has that number */
  CHECK(cuGraphExecDestroy(executable));
}

/* While, and in it a switch that looks at the same countdown. */
static CUgraph nested(unsigned offset) {
  CUgraph graph, body, cases[2];
  CUgraphConditionalHandle outer, inner;
  CUgraphNode node;
  CHECK(cuGraphCreate(&graph, 0));
  outer = handle_of(graph, 1, assign_default);
  inner = handle_of(graph, 1, assign_default);
  decide(graph, NULL, outer, CU_GRAPH_COND_TYPE_WHILE, 1, &body);
  node = decide(body, NULL, inner, CU_GRAPH_COND_TYPE_SWITCH, 2, cases);
  launch_note(cases[0], NULL, offset);
  launch_note(cases[1], NULL, offset + 1);
  launch(body, &node, down, &outer);
  return graph;
}

static void one_in_another(void) {
  CUgraph graph = nested(30), other = nested(40);
  CUgraphExecUpdateResultInfo result;
  CUgraphExec executable = ready(graph);
  run(executable, 2, 0, ((7 + 31) * 3 + 2) * 7 * 3 + 31 * 3 + 1);
  CHECK(cuGraphExecUpdate_v2(executable, other, &result));
  EXPECT(result.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
  run(executable, 2, 0, ((7 + 41) * 3 + 2) * 7 * 3 + 41 * 3 + 1);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(other));
}

int main(void) {
  CUdevice device;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate_v4(&context, NULL, 0, device));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&down, module, "down"));
  CHECK(cuModuleGetFunction(&note, module, "note"));
  CHECK(cuMemAlloc_v2(&words, 8));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  handles_are_numbers();
  while_from_a_stream();
  while_between();
  if_and_else(1, (7 + 11) * 7 + 17);
  if_and_else(0, (7 + 13) * 7 + 17);
  if_alone_and_switch();
  one_in_another();
  CHECK(cuCtxDestroy_v2(context));
  return wrong != 0;
}
