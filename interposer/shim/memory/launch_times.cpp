#include "interposer/shim/memory/launch_times.h"

#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "interposer/shim/driver/driver.h"
#include "interposer/shim/events/meta_events.h"
#include "interposer/shim/memory/streams.h"

namespace wedjat::interposer {
namespace {

struct Timed {
  std::uint64_t call = 0;
  std::uint64_t context = 0;  // that the events belong to
  CUevent begin = nullptr, end = nullptr;
};

struct Times {
  std::mutex mutex;
  std::deque<Timed> open;
  std::map<std::uint64_t, std::vector<CUevent>> spare;  // by context
};

Times& times() {
  static Times& all = *new Times;
  return all;
}

thread_local Timed current;  // between the begin and the end of a launch

bool wanted() {
  static const bool time = std::getenv(traces::kTimeVariable) != nullptr;
  return time;
}

CUevent event_of(std::uint64_t context) {
  {
    Times& all = times();
    const std::lock_guard lock(all.mutex);
    if (std::vector<CUevent>& spare = all.spare[context]; !spare.empty()) {
      const CUevent event = spare.back();
      return spare.pop_back(), event;
    }
  }
  CUevent event = nullptr;
  const auto create = real<CUresult (*)(CUevent*, unsigned)>(Entry::cuEventCreate);
  if (!create || create(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) return nullptr;
  return event;
}

bool put(const Call& call, CUevent event) {
  const auto record = real<CUresult (*)(CUevent, CUstream)>(call.per_thread ? Entry::cuEventRecord_ptsz
                                                                            : Entry::cuEventRecord);
  return event != nullptr && record && record(event, call.stream) == CUDA_SUCCESS;
}

bool is_over(const Timed& one) {
  const auto query = real<CUresult (*)(CUevent)>(Entry::cuEventQuery);
  return query && query(one.end) == CUDA_SUCCESS;
}

void tell(const Timed& one) {
  const auto elapsed = real<CUresult (*)(float*, CUevent, CUevent)>(Entry::cuEventElapsedTime);
  float milliseconds = 0;
  if (!elapsed || elapsed(&milliseconds, one.begin, one.end) != CUDA_SUCCESS) return;
  wj_emit_launch_time(next_sequence(), one.call,
                      static_cast<std::uint64_t>(std::llround(double{milliseconds} * 1e6)));
}

}  // namespace

// A stream of another context than the current one takes no event of it: such launches have no time.
void launch_time_begins(const Call& call) {
  current = {};
  if (!wanted() || captures_under_way()) return;
  const std::uint64_t context = current_context();
  const Timed one{call.sequence, context, event_of(context), event_of(context)};
  if (put(call, one.begin)) current = one;
}

void launch_time_ends(const Call& call) {
  if (current.begin == nullptr) return;
  if (put(call, current.end)) {
    Times& all = times();
    const std::lock_guard lock(all.mutex);
    all.open.push_back(current);
  }
  current = {};
  tell_launch_times();
}

void tell_launch_times() {
  if (!wanted() || captures_under_way()) return;
  Times& all = times();
  const std::lock_guard lock(all.mutex);
  while (!all.open.empty() && is_over(all.open.front())) {
    const Timed& one = all.open.front();
    tell(one);
    std::vector<CUevent>& spare = all.spare[one.context];
    spare.push_back(one.begin), spare.push_back(one.end);
    all.open.pop_front();
  }
}

}  // namespace wedjat::interposer
