#include <map>
#include <mutex>
#include <utility>

#include "tests/interposer/fake_driver/fake.h"

namespace {

using Queue = std::vector<std::function<void()>>;
std::mutex& mutex = *new std::mutex;
// Held by who does the work: others may give some meanwhile, and their waits return after it.
std::recursive_mutex& working = *new std::recursive_mutex;
std::map<CUstream, Queue>& queues = *new std::map<CUstream, Queue>;

struct Event {
  CUstream stream;
};

CUstream normal(CUstream stream) { return reinterpret_cast<size_t>(stream) <= 2 ? nullptr : stream; }

void work_off(std::map<CUstream, Queue> taken) {
  for (const auto& [stream, queue] : taken)
    for (const auto& item : queue) item();
}

}  // namespace

void fake::enqueue(CUstream stream, std::function<void()> work) {
  const std::lock_guard lock(mutex);
  queues[normal(stream)].push_back(std::move(work));
}

void fake::run_stream(CUstream stream) {
  if (normal(stream) == nullptr) return run_everything();  // the legacy stream follows all others
  const std::lock_guard at_work(working);
  std::map<CUstream, Queue> taken;
  {
    const std::lock_guard lock(mutex);
    taken[stream] = std::exchange(queues[stream], {});
  }
  work_off(std::move(taken));
}

void fake::run_everything() {
  const std::lock_guard at_work(working);
  std::map<CUstream, Queue> taken;
  {
    const std::lock_guard lock(mutex);
    taken = std::exchange(queues, {});
  }
  work_off(std::move(taken));
}

FAKE CUresult cuStreamCreate(CUstream* stream, unsigned) {
  return *stream = reinterpret_cast<CUstream>(new char[8]), CUDA_SUCCESS;
}
FAKE CUresult cuStreamDestroy_v2(CUstream stream) { return fake::run_stream(stream), CUDA_SUCCESS; }
FAKE CUresult cuStreamSynchronize(CUstream stream) { return fake::run_stream(stream), CUDA_SUCCESS; }
FAKE CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  return *status = CU_STREAM_CAPTURE_STATUS_NONE, CUDA_SUCCESS;
}
FAKE CUresult cuEventCreate(CUevent* event, unsigned) {
  return *event = reinterpret_cast<CUevent>(new Event{}), CUDA_SUCCESS;
}
FAKE CUresult cuEventRecord(CUevent event, CUstream stream) {
  return reinterpret_cast<Event*>(event)->stream = stream, CUDA_SUCCESS;
}
FAKE CUresult cuEventSynchronize(CUevent event) {
  return fake::run_stream(reinterpret_cast<Event*>(event)->stream), CUDA_SUCCESS;
}
// Work is as good as done, unless a kernel among it never ends.
FAKE CUresult cuEventQuery(CUevent event) {
  if (fake::endless_work) return CUDA_ERROR_NOT_READY;
  return fake::run_stream(reinterpret_cast<Event*>(event)->stream), CUDA_SUCCESS;
}
// Whatever lies between two events takes a quarter of a millisecond.
FAKE CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  return *milliseconds = 0.25f, CUDA_SUCCESS;
}
FAKE CUresult cuEventDestroy_v2(CUevent event) {
  return delete reinterpret_cast<Event*>(event), CUDA_SUCCESS;
}
FAKE CUresult cuStreamWaitEvent(CUstream, CUevent event, unsigned) {
  return fake::run_stream(reinterpret_cast<Event*>(event)->stream), CUDA_SUCCESS;
}
FAKE CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return fake::enqueue(stream, [=] { function(data); }), CUDA_SUCCESS;
}
