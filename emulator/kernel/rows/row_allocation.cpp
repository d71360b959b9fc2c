#include "emulator/kernel/rows/row_allocation.h"

#include <algorithm>
#include <array>
#include <queue>

namespace wedjat::kernel {
namespace {

// Predicates; elements of 1, 2, 4, 8 and 16 bytes. Those of 1 and 2 do not share rows, though they could: a
// row that has elements of one size alone can be held in registers by native code.
constexpr unsigned row_classes = 6;

unsigned class_of(const Value& value) {
  switch (value.bytes) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return 2;
    case 4:
      return 3;
    case 8:
      return 4;
    default:
      return 5;
  }
}

constexpr std::array<std::uint32_t, row_classes> row_bytes = {64, 64, 64, 128, 256, 512};

// Rows of one size, by number; the one freed last is taken first: it is still in the cache.
struct Pool {
  std::uint32_t rows = 0;
  std::vector<std::uint32_t> free;
  std::uint32_t take() {
    if (free.empty()) return rows++;
    const std::uint32_t row = free.back();
    free.pop_back();
    return row;
  }
};

}  // namespace

RowAllocation allocate_rows(const Draft& draft, const Liveness& liveness) {
  std::vector<ValueId> by_start;
  for (ValueId v = 0; v < draft.values.size(); ++v) {
    if (!draft.values[v].is_fill && !liveness.intervals[v].empty()) by_start.push_back(v);
  }
  std::ranges::stable_sort(by_start, {}, [&](ValueId v) { return liveness.intervals[v].first; });

  std::array<Pool, row_classes> pools;
  std::vector<std::uint32_t> row(draft.values.size());
  using Ending = std::pair<std::uint32_t, ValueId>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> live;
  std::vector<bool> kept(draft.values.size());
  for (ValueId v : draft.registers) kept[v] = true;
  for (ValueId v : by_start) {
    while (!live.empty() && live.top().first < liveness.intervals[v].first) {
      const ValueId ended = live.top().second;
      live.pop();
      // A result may not lie where an operand of the same step does: several rows may be written before all
      // are read.
      pools[class_of(draft.values[ended])].free.push_back(row[ended]);
    }
    row[v] = pools[class_of(draft.values[v])].take();
    if (!kept[v]) live.emplace(liveness.intervals[v].last | 1u, v);
  }
  // Predicates that are fills stand with the predicates: they may be guards.
  for (ValueId v = 0; v < draft.values.size(); ++v) {
    if (draft.values[v].is_fill && draft.values[v].bytes == 0) row[v] = pools[0].rows++;
  }

  RowAllocation result;
  std::array<std::uint32_t, row_classes> base{};
  for (unsigned c = 0; c < row_classes; ++c) {
    base[c] = result.frame_bytes;
    result.frame_bytes += pools[c].rows * row_bytes[c];
  }
  result.offset.resize(draft.values.size());
  for (ValueId v = 0; v < draft.values.size(); ++v) {
    const unsigned c = class_of(draft.values[v]);
    if (draft.values[v].is_fill && draft.values[v].bytes != 0) {
      result.offset[v] = result.frame_bytes;
      result.frame_bytes += row_bytes[c];
    } else {
      result.offset[v] = base[c] + row[v] * row_bytes[c];
    }
  }
  return result;
}

}  // namespace wedjat::kernel
