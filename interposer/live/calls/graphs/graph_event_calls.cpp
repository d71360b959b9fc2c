// Nodes of graphs that record events or wait for them, and those that work on words of memory.
#include "interposer/live/work/node_work.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

Event& event_at(CUgraphNode node, bool waits) {
  Event& event = part_of<Event>(node_at(node).work);
  require(event.waits == waits);
  return event;
}

void set_event(CUgraphNode node, CUevent event, bool waits) {
  require(driver().events.find(event) != nullptr);
  event_at(node, waits).event = event;
}

}  // namespace

void cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  *event = event_at(node, false).event;
}
void cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) { set_event(node, event, false); }
void cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) { *event = event_at(node, true).event; }
void cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) { set_event(node, event, true); }

void cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* operations) {
  MemoryOperations& known = part_of<MemoryOperations>(node_at(node).work);
  *operations = {&context(), static_cast<unsigned>(known.list.size()), known.list.data(), 0};
}

void cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* operations) {
  replace(node_at(node).work, work_of(*operations));
}

}  // namespace wedjat::live::calls
