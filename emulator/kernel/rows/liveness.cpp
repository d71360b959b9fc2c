#include "emulator/kernel/rows/liveness.h"

#include <algorithm>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/draft/live_values.h"

namespace wedjat::kernel {
namespace {

class Analysis {
 public:
  Analysis(const Draft& draft, const std::vector<std::uint32_t>& order)
      : draft_(draft), order_(order), live_(draft, order) {
    result_.intervals.resize(draft.values.size());
  }

  Liveness run() {
    measure();
    return std::move(result_);
  }

 private:
  void extend(ValueId v, std::uint32_t at) {
    if (draft_.values[v].is_fill) return;
    LiveInterval& interval = result_.intervals[v];
    interval.first = std::min(interval.first, at);
    interval.last = std::max(interval.last, at);
  }

  void measure() {
    std::uint32_t position = 0;
    for (std::uint32_t block : order_) {
      const DraftBlock& b = draft_.blocks[block];
      const std::uint32_t begin = 2 * position, end = 2 * (position + b.count) + 1;
      live_.each_in(block, [&](ValueId v) { extend(v, begin); });
      live_.each_out(block, [&](ValueId v) { extend(v, end); });
      const auto visit = [&](const auto& what) {
        each_access(
            draft_, what, [&](ValueId v) { extend(v, 2 * position); },
            [&](ValueId v, bool) { extend(v, 2 * position + 1); });
        ++position;
      };
      for (std::uint32_t i = b.first; i < b.first + b.count; ++i) visit(draft_.steps[i]);
      visit(b.end);
    }
    const std::uint32_t entry = order_.front();
    std::vector<bool> given(draft_.values.size());
    for (const DraftPlace& place : draft_.parameters) {
      if (place.kind != Place::Kind::Row) continue;
      given[place.value] = true;
      extend(place.value, 0);
    }
    for (const DraftPlace& place : draft_.results) {
      if (place.kind == Place::Kind::Row) extend(place.value, 2 * position);
    }
    live_.each_in(entry, [&](ValueId v) {
      if (!given[v]) result_.read_before_written.push_back(v);
    });
  }

  const Draft& draft_;
  const std::vector<std::uint32_t>& order_;
  LiveValues live_;
  Liveness result_;
};

}  // namespace

Liveness liveness(const Draft& draft, const std::vector<std::uint32_t>& order) {
  return Analysis(draft, order).run();
}

}  // namespace wedjat::kernel
