#include "emulator/compile/emit/shapes.h"

#include <deque>

#include "emulator/compile/emit/widen.h"

namespace wedjat::compile {

void apply_shapes(const Request& request, const Liveness& liveness, const StepPlan& plan,
                  std::uint32_t number, RowShapes& shapes) {
  const kernel::Step& step = request.code().steps[number];
  const auto shape_of = [&](const RowUse& row) -> Shape& { return shapes[liveness.number(row.offset)]; };
  std::map<unsigned, Value> results;
  if (plan.kind == StepPlan::Kind::compute) {
    RowElements inputs;
    for (const RowUse& row : plan.rows)
      inputs[row.index] = {{row.in ? shape_of(row) : Shape::vector(), nullptr, nullptr, nullptr}, row.bits()};
    results = widen(*plan.lane, std::move(inputs), nullptr);
  }
  // As it was before the step, which may write it.
  const Shape guard = step.guard == 0 ? Shape{} : shapes[liveness.number(guard_row(step.guard))];
  const bool reads = plan.kind == StepPlan::Kind::load || plan.kind == StepPlan::Kind::fetch;
  const bool one_place = reads && !plan.is_local() && shape_of(plan.address).is_uniform();
  for (const RowUse& row : plan.rows) {
    if (!row.out) continue;
    Shape now = one_place ? Shape::uniform() : Shape::vector();
    if (const auto result = results.find(row.index); result != results.end()) now = result->second.shape;
    if (request.paths == exec::PathKind::one && !now.is_uniform()) now = Shape::uniform();
    Shape& shape = shape_of(row);
    if (step.guard != 0) now = selected(guard, now, shape);
    shape = now;
  }
}

std::vector<RowShapes> shapes_in(const Request& request, const Region& region, const Liveness& liveness,
                                 const std::vector<StepPlan>& plans, RowShapes entry,
                                 const std::vector<Meeting>& meetings) {
  const kernel::Function& function = request.code();
  std::vector<RowShapes> before(region.nodes.size(), RowShapes(liveness.rows()));
  before[0] = std::move(entry);
  std::deque<std::uint32_t> open{0};
  std::vector<bool> reached(region.nodes.size());
  reached[0] = true;
  // Rows that differ between lanes at the start of a node, because some came there on another way.
  std::vector<RowSet> differing(region.nodes.size(), RowSet(liveness.rows()));
  const auto part = [&](const Meeting& meeting) {
    if (!differing[meeting.node].add(meeting.rows) || !reached[meeting.node]) return;
    meeting.rows.for_each([&](std::uint32_t row) { before[meeting.node][row] = Shape::vector(); });
    open.push_back(meeting.node);
  };
  while (!open.empty()) {
    const std::uint32_t number = open.front();
    const Node& node = region.nodes[number];
    RowShapes shapes = before[number];
    open.pop_front();
    const std::uint32_t first = function.blocks[node.block].first;
    for (std::uint32_t i = first + node.first; i < first + node.last; ++i)
      apply_shapes(request, liveness, plans[i], i, shapes);
    if (const kernel::Terminator& end = function.blocks[node.block].end;
        node.ends(function) && end.guard != 0 && !shapes[liveness.number(guard_row(end.guard))].is_uniform())
      part(meetings[number]);
    for (const std::uint32_t next : node.next) {
      bool changed = !reached[next];
      reached[next] = true;
      // Only what lives on there: a row that is dead may hold anything.
      const RowSet& live = liveness.at(region.nodes[next].block);
      for (std::uint32_t row = 0; row < shapes.size(); ++row) {
        const bool known = live.has(row) && !differing[next].has(row);
        const Shape both = known ? join(before[next][row], shapes[row]) : Shape::vector();
        changed |= !(both == before[next][row]);
        before[next][row] = both;
      }
      if (changed) open.push_back(next);
    }
  }
  return before;
}

}  // namespace wedjat::compile
