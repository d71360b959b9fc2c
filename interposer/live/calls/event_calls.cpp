// Events: when the host's clock said what when the work before them was done.
#include "interposer/live/state/streams.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

CUevent_st& event_at(CUevent handle) { return driver().events.at(handle, CUDA_ERROR_INVALID_HANDLE); }

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
  stream_of(stream);
  event_at(event).recorded = std::chrono::steady_clock::now();
}

void cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  require(flags <= CU_EVENT_RECORD_EXTERNAL);
  cuEventRecord(event, stream);
}

void cuEventQuery(CUevent event) { event_at(event); }

void cuEventSynchronize(CUevent event) {
  event_at(event);
  show_printed(context());
}

void cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  const CUevent_st &from = event_at(start), &to = event_at(end);
  require(((from.flags | to.flags) & CU_EVENT_DISABLE_TIMING) == 0 && from.recorded && to.recorded,
          CUDA_ERROR_INVALID_HANDLE);
  *milliseconds = std::chrono::duration<float, std::milli>(*to.recorded - *from.recorded).count();
}

}  // namespace wedjat::live::calls
