// Objects of the program that graphs hold: the last reference that goes calls what destroys them.
#include "interposer/live/state/driver.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUuserObject_st& object_at(CUuserObject handle) {
  return driver().user_objects.at(handle, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

void cuUserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned references,
                        unsigned flags) {
  require(destroy != nullptr && references != 0 && flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  *object = driver().user_objects.add(
      std::make_unique<CUuserObject_st>(CUuserObject_st{data, destroy, references}));
}

void cuUserObjectRetain(CUuserObject object, unsigned count) {
  require(count != 0);
  object_at(object).references += count;
}

void cuUserObjectRelease(CUuserObject object, unsigned count) {
  require(count != 0 && count <= object_at(object).references);
  release(object_at(object), count);
}

void cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  CUgraph_st& holder = driver().graphs.at(graph, CUDA_ERROR_INVALID_VALUE);
  require(count != 0 && (flags & ~unsigned{CU_GRAPH_USER_OBJECT_MOVE}) == 0);
  CUuserObject_st& held = object_at(object);
  const bool moves = flags == CU_GRAPH_USER_OBJECT_MOVE;
  require(!moves || count <= held.references);
  if (!moves) held.references += count;
  holder.objects[object] += count;
}

void cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  CUgraph_st& holder = driver().graphs.at(graph, CUDA_ERROR_INVALID_VALUE);
  const auto held = holder.objects.find(object);
  require(count != 0 && held != holder.objects.end() && count <= held->second);
  held->second -= count;
  if (held->second == 0) holder.objects.erase(held);
  release(object_at(object), count);
}

}  // namespace wedjat::live::calls
