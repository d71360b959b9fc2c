// Streams that are captured into graphs.
#include <algorithm>
#include <set>

#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUstream_st& capturable(CUstream handle) {
  CUstream_st* const stream = stream_to_capture(handle);
  if (stream == nullptr) fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);  // the default stream of the device
  return *stream;
}

CUstream_st& captured(CUstream handle) {
  CUstream_st* const stream = stream_of(handle);
  if (stream == nullptr || !stream->capture) fail(CUDA_ERROR_ILLEGAL_STATE);
  return *stream;
}

void begin(CUstream handle, CUgraph graph, std::vector<CUgraphNode> after, CUstreamCaptureMode mode) {
  CUstream_st& stream = capturable(handle);
  require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  require(!stream.capture, CUDA_ERROR_ILLEGAL_STATE);
  stream.capture = std::make_shared<Capture>();
  *stream.capture = {graph, &stream, mode, driver().next_capture++, std::this_thread::get_id()};
  stream.frontier = std::move(after);
}

void collect(CUgraphNode node, std::set<CUgraphNode>& seen) {
  if (!seen.insert(node).second) return;
  for (const CUgraphNode before : node->after) collect(before, seen);
}

// What other streams of the capture did last must lie before what the origin did last.
bool all_joined(const CUstream_st& origin) {
  std::set<CUgraphNode> joined;
  for (const CUgraphNode node : origin.frontier) collect(node, joined);
  bool all = true;
  driver().streams.each([&](const CUstream_st& stream) {
    if (stream.capture != origin.capture) return;
    all =
        all && std::ranges::all_of(stream.frontier, [&](CUgraphNode node) { return joined.contains(node); });
  });
  return all;
}

CUstreamCaptureStatus status_of(const CUstream_st* stream) {
  if (stream == nullptr || !stream->capture) return CU_STREAM_CAPTURE_STATUS_NONE;
  return stream->capture->broken ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

}  // namespace

void cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  require(!capturable(stream).capture, CUDA_ERROR_ILLEGAL_STATE);
  begin(stream, &make_graph(), {}, mode);
}

void cuStreamBeginCapture(CUstream stream) { cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL); }

void cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                                 const CUgraphEdgeData*, std::size_t count, CUstreamCaptureMode mode) {
  driver().graphs.at(graph, CUDA_ERROR_INVALID_VALUE);
  require(count == 0 || dependencies != nullptr);
  begin(stream, graph, {dependencies, dependencies + count}, mode);
  stream_of(stream)->capture->into_given = true;
}

void cuStreamEndCapture(CUstream handle, CUgraph* graph) {
  if (graph != nullptr) *graph = nullptr;
  CUstream_st& stream = captured(handle);
  require(graph != nullptr || stream.capture->into_given);
  if (stream.capture->origin != &stream) {
    stream.capture->broken = true;
    fail(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  }
  const std::shared_ptr<Capture> capture = stream.capture;
  const bool joined = all_joined(stream);
  driver().streams.each([&](CUstream_st& other) {
    if (other.capture != capture) return;
    other.capture = nullptr;
    other.frontier.clear();
  });
  driver().events.each([&](CUevent_st& event) {
    if (event.capture == capture) event.frontier.clear();
  });
  capture->over = true;
  if (capture->broken || !joined) {
    if (!capture->into_given) destroy_graph(*capture->graph);
    fail(capture->broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  }
  if (graph != nullptr) *graph = capture->graph;
}

void cuStreamWaitEvent(CUstream handle, CUevent event, unsigned flags) {
  require(flags <= CU_EVENT_WAIT_EXTERNAL);
  const CUevent_st& known = driver().events.at(event, CUDA_ERROR_INVALID_HANDLE);
  if (known.capture && known.capture->over) {
    const CUstream_st* const waiting = stream_of(handle);
    if (waiting != nullptr && waiting->capture) waiting->capture->broken = true;
    fail(CUDA_ERROR_INVALID_VALUE);
  }
  CUstream_st* const stream = known.capture ? stream_to_capture(handle) : stream_of(handle);
  if (stream == nullptr) {
    if (!known.capture) return;
    known.capture->broken = true;
    fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  }
  if (!known.capture) {
    require(!stream->capture || flags == CU_EVENT_WAIT_EXTERNAL, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    if (stream->capture) give(handle, Event{event, true});
    return;
  }
  require(!stream->capture || stream->capture == known.capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  stream->capture = known.capture;
  for (const CUgraphNode node : known.frontier)
    if (std::ranges::find(stream->frontier, node) == stream->frontier.end()) stream->frontier.push_back(node);
}

void cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  require(!beside_captures::would_wait(stream), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  *status = status_of(stream_of(stream));
}

void cuStreamGetCaptureInfo(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                            const CUgraphNode** dependencies, const CUgraphEdgeData** edges,
                            std::size_t* count) {
  CUstream_st* const stream = stream_of(handle);
  *status = status_of(stream);
  if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return;
  if (id != nullptr) *id = stream->capture->id;
  if (graph != nullptr) *graph = stream->capture->graph;
  if (dependencies != nullptr) *dependencies = stream->frontier.data();
  stream->edges.assign(stream->frontier.size(), {});
  if (edges != nullptr) *edges = stream->edges.data();
  if (count != nullptr) *count = stream->frontier.size();
}

void cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                            const CUgraphNode** dependencies, std::size_t* count) {
  cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}

void cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  cuStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

void cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode* nodes, const CUgraphEdgeData*,
                                       std::size_t count, unsigned flags) {
  CUstream_st& stream = captured(handle);
  require((count == 0 || nodes != nullptr) && flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES);
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) stream.frontier.clear();
  stream.frontier.insert(stream.frontier.end(), nodes, nodes + count);
}

void cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, std::size_t count,
                                       unsigned flags) {
  cuStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

void cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  require(*mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && *mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
  *mode = exchange_capture_mode(*mode);
}

}  // namespace wedjat::live::calls
