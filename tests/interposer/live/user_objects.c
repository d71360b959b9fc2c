/* Who holds what a program gave a graph: an executable graph holds what its graph and the graphs in it do,
 * and after an update what the graph of the update does. A destructor runs beside the program, so it is
 * waited for. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "tests/interposer/live/check.h"

static volatile int gone[4];

static void destroy(void* which) { gone[(size_t)which]++; }

static int is_gone(size_t which) {
  for (int i = 0; i < 200 && !gone[which]; ++i) usleep(1000);
  return gone[which];
}

static int is_kept(size_t which) {
  usleep(20000);
  return !gone[which];
}

static CUgraph holds(size_t which) {
  CUgraph graph;
  CUgraphNode node;
  CUuserObject object;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddEmptyNode(&node, graph, NULL, 0));
  CHECK(cuUserObjectCreate(&object, (void*)which, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CHECK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  return graph;
}

int main(void) {
  CUcontext context;
  CUgraphExec executable;
  CUgraphExecUpdateResultInfo info;
  CUgraphNode node;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, NULL, 0, 0));
  const CUgraph first = holds(0), second = holds(1), larger = holds(2), inner = holds(3);
  CHECK(cuGraphInstantiate(&executable, first, 0));
  CHECK(cuGraphDestroy(first));
  CHECK(cuGraphAddEmptyNode(&node, larger, NULL, 0));
  EXPECT_CODE(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(executable, larger, &info));
  EXPECT(is_kept(0));
  CHECK(cuGraphExecUpdate(executable, second, &info));
  EXPECT(is_gone(0));
  CHECK(cuGraphDestroy(second));
  EXPECT(is_kept(1));
  CHECK(cuGraphExecDestroy(executable));
  EXPECT(is_gone(1));
  CHECK(cuGraphAddChildGraphNode(&node, larger, NULL, 0, inner));
  CHECK(cuGraphDestroy(inner));
  CHECK(cuGraphInstantiate(&executable, larger, 0));
  CHECK(cuGraphDestroy(larger));
  EXPECT(is_kept(2) && !gone[3]);
  CHECK(cuGraphExecDestroy(executable));
  EXPECT(is_gone(2) && is_gone(3));
  CHECK(cuCtxDestroy(context));
  return wrong;
}
