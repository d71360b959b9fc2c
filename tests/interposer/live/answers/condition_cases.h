/* Calls about conditional nodes of graphs that are wrong, or nearly so. */
#include "objects.h"

#ifndef CU_GRAPH_COND_ASSIGN_DEFAULT /* a macro of cuda.h */
#define CU_GRAPH_COND_ASSIGN_DEFAULT 1
#endif

/* A node of a condition, its bodies in `bodies`. */
static CUgraph* bodies;
static CUgraphConditionalHandle a_condition;

static CUgraphNodeParams condition_of(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                                      unsigned size, CUcontext where) {
  CUgraphNodeParams node = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
  node.conditional.handle = handle;
  node.conditional.type = type;
  node.conditional.size = size;
  node.conditional.ctx = where;
  return node;
}
static CUgraphConditionalHandle handle_in(CUgraph of) {
  CUgraphConditionalHandle handle = 0;
  cuGraphConditionalHandleCreate(&handle, of, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
  return handle;
}
static CUgraph fresh_graph(void) {
  CUgraph made = NULL;
  cuGraphCreate(&made, 0);
  return made;
}
static CUresult add_condition(CUgraph to, CUgraphConditionalHandle handle, CUgraphConditionalNodeType type,
                              unsigned size) {
  CUgraphNodeParams node = condition_of(handle, type, size, context);
  const CUresult result = cuGraphAddNode(&a_node, to, NULL, NULL, 0, &node);
  bodies = node.conditional.phGraph_out;
  return result;
}
/* A graph with one condition, whose first body is `*body`. */
static CUgraph conditional_graph(CUgraph* body) {
  CUgraph made = fresh_graph();
  add_condition(made, handle_in(made), CU_GRAPH_COND_TYPE_IF, 1);
  *body = bodies != NULL ? bodies[0] : NULL;
  return made;
}
static void do_nothing(void* data) { (void)data; }

/* Each makes a graph with one condition and does something odd with it. */
static CUresult with_body(int what) {
  CUgraph body = NULL, whole = conditional_graph(&body), child = NULL;
  CUDA_HOST_NODE_PARAMS of_host = {.fn = do_nothing};
  CUDA_MEM_ALLOC_NODE_PARAMS to_make = {.poolProps = of_device(0), .bytesize = 64};
  CUgraphExec first = NULL, second = NULL;
  CUgraphNode inner = NULL, node = a_node;
  CUgraphExecUpdateResultInfo info;
  CUgraphNodeParams again = condition_of(0, CU_GRAPH_COND_TYPE_IF, 1, context);
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
  CUDA_KERNEL_NODE_PARAMS kernel = launch_of(store, 1);
  size_t count = 0;
  CUresult result;
  switch (what) {
    case 0:
      return cuGraphAddHostNode(&inner, body, NULL, 0, &of_host);
    case 1:
      cuGraphAddHostNode(&inner, body, NULL, 0, &of_host);
      return cuGraphInstantiate(&first, whole, 0);
    case 2:
      cuGraphAddHostNode(&inner, body, NULL, 0, &of_host);
      result = cuGraphInstantiateWithParams(&first, whole, &how);
      return (CUresult)(how.result_out == CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED ? 0 : result);
    case 3:
      return cuGraphAddMemAllocNode(&inner, body, NULL, 0, &to_make);
    case 4:
      cuGraphAddMemAllocNode(&inner, body, NULL, 0, &to_make);
      return cuGraphInstantiate(&first, whole, 0);
    case 5:
      return cuGraphAddEventRecordNode(&inner, body, NULL, 0, event);
    case 6:
      cuGraphAddEventRecordNode(&inner, body, NULL, 0, event);
      return cuGraphInstantiate(&first, whole, 0);
    case 7:
      return cuGraphDestroy(body);
    case 8:
      return cuGraphClone(&child, whole);
    case 9:
      return cuGraphClone(&child, body);
    case 10:
      return cuGraphAddChildGraphNode(&inner, graph, NULL, 0, whole);
    case 11:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphInstantiate(&second, whole, 0);
    case 12:
      cuGraphInstantiate(&first, whole, 0);
      cuGraphExecDestroy(first);
      return cuGraphInstantiate(&second, whole, 0);
    case 13:
      return cuGraphNodeSetParams(node, &again);
    case 14:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphExecNodeSetParams(first, node, &again);
    case 15:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphNodeSetEnabled(first, node, 0);
    case 16:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphExecUpdate(first, whole, &info);
    case 17:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphExecUpdate(first, conditional_graph(&child), &info);
    case 18:
      cuGraphInstantiate(&first, body, 0);
      return cuGraphInstantiate(&second, whole, 0);
    case 19:
      return cuGraphInstantiate(&first, body, 0);
    case 20:
      cuGraphInstantiate(&first, body, 0);
      return cuGraphLaunch(first, stream);
    case 21:
      cuGraphDestroyNode(node);
      return cuGraphGetNodes(body, NULL, &count);
    case 22:
      cuGraphDestroyNode(node);
      return cuGraphInstantiate(&first, whole, 0);
    case 23:
      cuGraphDestroy(whole);
      return cuGraphGetNodes(body, NULL, &count);
    case 24:
      cuGraphInstantiate(&first, whole, 0);
      cuGraphDestroy(whole);
      return cuGraphLaunch(first, stream);
    case 25:
      cuGraphAddKernelNode(&inner, body, NULL, 0, &kernel);
      return cuGraphInstantiate(&first, whole, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
    case 26:
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphLaunch(first, stream);
    case 27:
      cuGraphAddEmptyNode(&inner, body, NULL, 0);
      cuGraphInstantiate(&first, whole, 0);
      return cuGraphLaunch(first, stream);
    case 28:
      cuGraphAddChildGraphNode(&inner, body, NULL, 0, graph);
      return cuGraphInstantiate(&first, whole, 0);
    case 29:
      return cuGraphAddDependencies(whole, &node, &node, NULL, 1);
    case 30:
      return cuStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL);
    default:
      return CUDA_ERROR_UNKNOWN;
  }
}

static CUresult add_to_fresh(CUgraphConditionalNodeType type, unsigned size) {
  CUgraph made = fresh_graph();
  return add_condition(made, handle_in(made), type, size);
}
static CUresult add_without_context(void) {
  CUgraph made = fresh_graph();
  CUgraphNodeParams node = condition_of(handle_in(made), CU_GRAPH_COND_TYPE_IF, 1, NULL);
  return cuGraphAddNode(&a_node, made, NULL, NULL, 0, &node);
}

/* Two nodes of one condition; a condition of a graph's child; one that no node has. */
static CUresult used_twice(void) {
  CUgraph made = fresh_graph();
  CUgraphConditionalHandle handle = handle_in(made);
  add_condition(made, handle, CU_GRAPH_COND_TYPE_IF, 1);
  return add_condition(made, handle, CU_GRAPH_COND_TYPE_IF, 1);
}
static CUresult used_inside(void) {
  CUgraph body = NULL, whole = conditional_graph(&body);
  return add_condition(body, handle_in(whole), CU_GRAPH_COND_TYPE_WHILE, 1);
}
static CUresult used_outside(void) {
  CUgraph body = NULL, whole = conditional_graph(&body);
  return add_condition(whole, handle_in(body), CU_GRAPH_COND_TYPE_IF, 1);
}
static CUresult used_elsewhere(void) {
  return add_condition(fresh_graph(), handle_in(graph), CU_GRAPH_COND_TYPE_IF, 1);
}
static CUresult unused(CUgraphInstantiateResult* why) {
  CUgraph made = fresh_graph();
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
  handle_in(made);
  const CUresult result = cuGraphInstantiateWithParams(&an_executable, made, &how);
  *why = how.result_out;
  return result;
}
static CUgraphInstantiateResult a_reason;
static CUresult code_of_reason(void) {
  unused(&a_reason);
  return (CUresult)a_reason; /* 5 is cudaGraphInstantiateConditionalHandleUnused, and a code's number too */
}

#define CONDITION_CASES(X)                                                              \
  X(cuGraphConditionalHandleCreate(NULL, graph, context, 0, 0))                         \
  X(cuGraphConditionalHandleCreate(&a_condition, NULL, context, 0, 0))                  \
  X(cuGraphConditionalHandleCreate(&a_condition, (CUgraph)host, context, 0, 0))         \
  X(cuGraphConditionalHandleCreate(&a_condition, fresh_graph(), NULL, 0, 0))            \
  X(cuGraphConditionalHandleCreate(&a_condition, fresh_graph(), (CUcontext)host, 0, 0)) \
  X(cuGraphConditionalHandleCreate(&a_condition, fresh_graph(), context, 7, 0))         \
  X(cuGraphConditionalHandleCreate(&a_condition, fresh_graph(), context, 0, 2))         \
  X(cuGraphConditionalHandleCreate(&a_condition, fresh_graph(), context, 0, 1))         \
  X(add_condition(fresh_graph(), 0, CU_GRAPH_COND_TYPE_IF, 1))                          \
  X(add_condition(fresh_graph(), 99, CU_GRAPH_COND_TYPE_IF, 1))                         \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_IF, 0))                                             \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_IF, 1))                                             \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_IF, 2))                                             \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_IF, 3))                                             \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_WHILE, 0))                                          \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_WHILE, 1))                                          \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_WHILE, 2))                                          \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_SWITCH, 0))                                         \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_SWITCH, 1))                                         \
  X(add_to_fresh(CU_GRAPH_COND_TYPE_SWITCH, 9))                                         \
  X(add_to_fresh(3, 1))                                                                 \
  X(add_without_context())                                                              \
  X(used_twice())                                                                       \
  X(used_inside())                                                                      \
  X(used_outside())                                                                     \
  X(used_elsewhere())                                                                   \
  X(unused(&a_reason))                                                                  \
  X(code_of_reason())                                                                   \
  X(with_body(0))                                                                       \
  X(with_body(1))                                                                       \
  X(with_body(2))                                                                       \
  X(with_body(3))                                                                       \
  X(with_body(4))                                                                       \
  X(with_body(5))                                                                       \
  X(with_body(6))                                                                       \
  X(with_body(7))                                                                       \
  X(with_body(8))                                                                       \
  X(with_body(9))                                                                       \
  X(with_body(10))                                                                      \
  X(with_body(11))                                                                      \
  X(with_body(12))                                                                      \
  X(with_body(13))                                                                      \
  X(with_body(14))                                                                      \
  X(with_body(15))                                                                      \
  X(with_body(16))                                                                      \
  X(with_body(17))                                                                      \
  X(with_body(18))                                                                      \
  X(with_body(19))                                                                      \
  X(with_body(20))                                                                      \
  X(with_body(21))                                                                      \
  X(with_body(22))                                                                      \
  X(with_body(23))                                                                      \
  X(with_body(24))                                                                      \
  X(with_body(25))                                                                      \
  X(with_body(26))                                                                      \
  X(with_body(27))                                                                      \
  X(with_body(28))                                                                      \
  X(with_body(29))                                                                      \
  X(with_body(30))
