// Stream capture: calls on a capturing stream do not run, they become a graph; launching the graph runs them,
// in their order.
#include <algorithm>

#include "traces/replay/handlers.h"

namespace wedjat::traces {
namespace {

std::uint64_t out_handle(Replayer& replayer, const Call& call, const char* field) {
  const auto values = call.exit->numbers(field);
  if (values.empty()) replayer.refuse(call, "no handle was recorded");
  return values[0];
}

}  // namespace

bool Graphs::capture(const Call& call) {
  if (capturing_.empty()) return false;
  if (call.base == "cuStreamWaitEvent") {  // a stream that waits for a captured event joins the capture
    if (const auto event = events_.find(call.entry->number("hEvent")); event != events_.end())
      capturing_[call.entry->number("hStream")] = event->second;
    return true;
  }
  const Value* stream = call.entry->find("hStream");
  const auto found = stream ? capturing_.find(call.entry->number("hStream")) : capturing_.end();
  if (found == capturing_.end() || call.base == "cuStreamEndCapture") return false;
  if (call.base == "cuEventRecord") events_[call.entry->number("hEvent")] = found->second;
  captured_[found->second].push_back(&call);
  return true;
}

void Graphs::begin(std::uint64_t stream, std::uint64_t sequence) { capturing_[stream] = sequence; }

void Graphs::end(std::uint64_t stream, std::uint64_t graph) {
  const auto found = capturing_.find(stream);
  if (found == capturing_.end()) return;
  const std::uint64_t capture = found->second;
  graphs_[graph] = std::move(captured_[capture]);
  captured_.erase(capture);
  std::erase_if(capturing_, [&](const auto& item) { return item.second == capture; });
  std::erase_if(events_, [&](const auto& item) { return item.second == capture; });
}

bool Graphs::instantiate(std::uint64_t graph, std::uint64_t executable) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return false;
  executables_[executable] = found->second;
  return true;
}

const std::vector<const Call*>* Graphs::executable(std::uint64_t handle) const {
  const auto found = executables_.find(handle);
  return found == executables_.end() ? nullptr : &found->second;
}

namespace handle {

void begin_capture(Replayer& replayer, const Call& call) {
  replayer.graphs().begin(call.entry->number("hStream"), call.sequence());
}

void end_capture(Replayer& replayer, const Call& call) {
  replayer.graphs().end(call.entry->number("hStream"), out_handle(replayer, call, "phGraph_out"));
}

void instantiate_graph(Replayer& replayer, const Call& call) {
  if (!replayer.graphs().instantiate(call.entry->number("hGraph"),
                                     out_handle(replayer, call, "phGraphExec_out")))
    replayer.refuse(call, "only graphs made by stream capture are replayed");
}

void launch_graph(Replayer& replayer, const Call& call) {
  // cuda.h names the parameter differently in the two flavours.
  const char* parameter = call.entry->find("hGraphExec") ? "hGraphExec" : "hGraph";
  const auto* nodes = replayer.graphs().executable(call.entry->number(parameter));
  if (!nodes) replayer.refuse(call, "the executable graph was not recorded");
  for (const Call* node : *nodes) replayer.carry_out(*node);
}

}  // namespace handle
}  // namespace wedjat::traces
