#include "emulator/kernel/rows/row_allocation.h"

#include <doctest/doctest.h>

#include "emulator/kernel/rows/liveness.h"

using namespace wedjat::kernel;

namespace {

struct Builder {
  Draft draft;
  std::vector<std::uint32_t> order;

  void step(std::vector<ValueId> in, std::vector<ValueId> out, ValueId guard = no_value) {
    DraftStep step;
    step.first_use = static_cast<std::uint32_t>(draft.uses.size());
    for (ValueId v : out) draft.uses.push_back({v, Role::Out});
    for (ValueId v : in) draft.uses.push_back({v, Role::In});
    step.uses = static_cast<std::uint32_t>(draft.uses.size()) - step.first_use;
    step.guard = guard;
    draft.steps.push_back(step);
  }
  void end(DraftEnd end) {
    DraftBlock block;
    block.first = draft.blocks.empty() ? 0 : draft.blocks.back().first + draft.blocks.back().count;
    block.count = static_cast<std::uint32_t>(draft.steps.size()) - block.first;
    block.end = std::move(end);
    order.push_back(static_cast<std::uint32_t>(draft.blocks.size()));
    draft.blocks.push_back(std::move(block));
  }
  RowAllocation rows() const { return allocate_rows(draft, liveness(draft, order)); }
};

}  // namespace

TEST_CASE("values that do not meet share a row; operands and results of one step do not") {
  Builder b;
  const ValueId a = b.draft.add(4), c = b.draft.add(4), d = b.draft.add(4);
  b.step({}, {a});
  b.step({a}, {c});
  b.step({c}, {d});
  b.step({d}, {});
  b.end({.kind = End::Exit});
  const RowAllocation rows = b.rows();
  CHECK(rows.offset[a] != rows.offset[c]);
  CHECK(rows.offset[c] != rows.offset[d]);
  CHECK(rows.offset[a] == rows.offset[d]);
  CHECK(rows.frame_bytes == 2 * 128);
}

TEST_CASE("a value that a loop carries keeps its row to the loop's end") {
  Builder b;
  const ValueId carried = b.draft.add(4), inside = b.draft.add(4), last = b.draft.add(4), p = b.draft.add(0);
  b.step({}, {carried});
  b.end({.kind = End::Fall, .target = 1});
  b.step({carried}, {inside});
  b.step({inside}, {p});
  b.step({}, {last});
  b.step({last}, {});
  b.end({.kind = End::Branch, .guard = p, .target = 1, .next = 2});
  b.end({.kind = End::Exit});
  const RowAllocation rows = b.rows();
  CHECK(rows.offset[carried] != rows.offset[inside]);
  CHECK(rows.offset[carried] != rows.offset[last]);
  CHECK(rows.offset[inside] == rows.offset[last]);
  CHECK(rows.offset[p] == 0);  // predicates first
}

TEST_CASE("a guarded write keeps what was there") {
  Builder b;
  const ValueId p = b.draft.add(0), a = b.draft.add(4);
  b.step({}, {p});
  b.step({}, {a}, p);
  b.step({a}, {});
  b.end({.kind = End::Exit});
  const Liveness live = liveness(b.draft, b.order);
  REQUIRE(live.read_before_written.size() == 1);
  CHECK(live.read_before_written[0] == a);
  CHECK(live.intervals[a].first == 0);
}

TEST_CASE("fills keep a row of their own") {
  Builder b;
  const ValueId seven = b.draft.fill(RowFill::Source::Constant, 4, 7), a = b.draft.add(4), c = b.draft.add(4);
  CHECK(b.draft.fill(RowFill::Source::Constant, 4, 7) == seven);
  CHECK(b.draft.fill(RowFill::Source::Constant, 8, 7) != seven);
  b.step({seven}, {a});
  b.step({a}, {c});
  b.step({seven, c}, {});
  b.end({.kind = End::Exit});
  const RowAllocation rows = b.rows();
  CHECK(rows.offset[seven] != rows.offset[a]);
  CHECK(rows.offset[seven] != rows.offset[c]);
}
