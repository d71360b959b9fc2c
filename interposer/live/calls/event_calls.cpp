// Events: when the host's clock said what when the work before them was done.
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUevent_st& event_at(CUevent handle) { return driver().events.at(handle, CUDA_ERROR_INVALID_HANDLE); }

// What a capture marked cannot be waited for, and the attempt ends a capture that is under way.
void check_waitable_event(const CUevent_st& event) {
  if (!event.capture) return;
  require(!event.capture->over);
  event.capture->broken = true;
  fail(CUDA_ERROR_CAPTURED_EVENT);
}

}  // namespace

void cuEventCreate(CUevent* event, unsigned flags) {
  constexpr unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  require((flags & ~known) == 0);
  require((flags & CU_EVENT_INTERPROCESS) == 0 || (flags & CU_EVENT_DISABLE_TIMING) != 0);
  auto made = std::make_unique<CUevent_st>();
  made->context = &context();
  made->flags = flags;
  *event = driver().events.add(std::move(made));
}

void cuEventDestroy(CUevent event) { driver().events.drop(&event_at(event)); }

void cuEventRecord(CUevent event, CUstream stream) {
  CUevent_st& known = event_at(event);
  const CUstream_st* const where = stream_of(stream);
  require(known.context == (where ? where->context : &context()), CUDA_ERROR_INVALID_HANDLE);
  if (where != nullptr && where->capture) {  // marks a place in the graph
    require(!where->capture->broken, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    known.capture = where->capture;
    known.frontier = where->frontier;
    return;
  }
  known.capture = nullptr;
  give(stream, Event{event, false});
}

void cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  require(flags <= CU_EVENT_RECORD_EXTERNAL);
  if (flags != CU_EVENT_RECORD_EXTERNAL) return cuEventRecord(event, stream);
  event_at(event);
  give(stream, Event{event, false});
}

// What marks a capture is told before that there is one.
void cuEventQuery(CUevent event) {
  check_waitable_event(event_at(event));
  beside_captures::unsafe(nullptr);
}

void cuEventSynchronize(CUevent event) {
  check_waitable_event(event_at(event));
  waited(context());
}

void cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  const CUevent_st &from = event_at(start), &to = event_at(end);
  for (const CUevent_st* event : {&from, &to}) require(!event->capture || !event->capture->over);
  require(((from.flags | to.flags) & CU_EVENT_DISABLE_TIMING) == 0 && from.recorded && to.recorded &&
              milliseconds != nullptr,
          CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = std::chrono::duration<float, std::milli>(*to.recorded - *from.recorded).count();
}

}  // namespace wedjat::live::calls
