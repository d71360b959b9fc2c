#include "emulator/kernel/rows/emit.h"

#include "emulator/kernel/rows/block_order.h"
#include "emulator/kernel/rows/hoist.h"
#include "emulator/kernel/rows/liveness.h"
#include "emulator/kernel/rows/row_allocation.h"

namespace wedjat::kernel {
namespace {

class Emitter {
 public:
  Emitter(Draft& draft, Function& function) : draft_(draft), function_(function) {}

  void run() {
    std::vector<std::vector<std::uint32_t>> successors(draft_.blocks.size());
    for (std::size_t b = 0; b < draft_.blocks.size(); ++b) {
      each_successor(draft_.blocks[b].end, [&](std::uint32_t next) { successors[b].push_back(next); });
    }
    const BlockOrder blocks = block_order(successors);
    const std::vector<std::uint32_t>& order = blocks.blocks;
    if (draft_.may_hoist) hoist(draft_, blocks.depth);
    number_.assign(draft_.blocks.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) number_[order[i]] = i;
    const Liveness live = liveness(draft_, order);
    rows_ = allocate_rows(draft_, live);
    for (std::uint32_t b : order) block(draft_.blocks[b]);
    std::size_t first = 0;
    for (Step& step : function_.steps) {
      step.row = function_.rows.data() + first;
      first += row_counts_[static_cast<std::size_t>(&step - function_.steps.data())];
    }
    fills(live);
    registers(live);
    for (const DraftPlace& p : draft_.parameters) function_.parameters.push_back(place(p));
    for (const DraftPlace& p : draft_.results) function_.results.push_back(place(p));
    function_.frame_bytes = rows_.frame_bytes;
    function_.local_bytes = static_cast<std::uint32_t>((draft_.local_bytes + 15) / 16 * 16);
  }

 private:
  std::uint32_t row(ValueId value) const { return rows_.offset[value]; }
  std::uint16_t guard(ValueId value) const {
    return value == no_value ? 0 : static_cast<std::uint16_t>(1 + row(value) / 64);
  }
  Place place(const DraftPlace& p) const {
    return {p.kind, p.kind == Place::Kind::Row ? row(p.value) : p.offset, p.bytes};
  }

  void block(const DraftBlock& from) {
    Block to;
    to.first = static_cast<std::uint32_t>(function_.steps.size());
    to.count = from.count;
    to.instructions = from.instructions;
    to.first_id = from.first_id;
    to.unrolled = from.unrolled;
    for (std::uint32_t i = from.first; i < from.first + from.count; ++i) step(draft_.steps[i]);
    to.end = end(from.end);
    function_.blocks.push_back(std::move(to));
  }

  void step(const DraftStep& from) {
    Step to{};
    to.form = from.form;
    if (from.form != nullptr) to.full = from.form->full, to.masked = from.form->masked;
    to.id = from.id;
    to.guard = guard(from.guard);
    to.flags = from.flags;
    for (const Use& use : draft_.uses_of(from)) {
      function_.rows.push_back(use.role == Role::Number ? use.value : row(use.value));
    }
    row_counts_.push_back(from.uses);
    function_.steps.push_back(to);
  }

  Terminator end(const DraftEnd& from) const {
    Terminator to;
    to.kind = from.kind;
    to.negated = from.negated;
    to.guard = guard(from.guard);
    to.id = from.id;
    const bool is_call = from.kind == End::Call;
    if (is_call)
      to.target = from.target;
    else if (from.kind == End::Fall || from.kind == End::Branch)
      to.target = number_[from.target];
    if (from.next < number_.size()) to.next = number_[from.next];
    if (from.row != no_value) to.row = row(from.row);
    for (std::uint32_t target : from.targets) to.targets.push_back(number_[target]);
    for (const DraftPlace& p : from.arguments) to.arguments.push_back(place(p));
    for (const DraftPlace& p : from.results) to.results.push_back(place(p));
    return to;
  }

  void fills(const Liveness& live) {
    for (ValueId v = 0; v < draft_.values.size(); ++v) {
      if (!draft_.values[v].is_fill) continue;
      function_.fills.push_back(draft_.values[v].fill);
      function_.fills.back().row = row(v);
    }
    for (ValueId v : live.read_before_written) {
      function_.fills.push_back({row(v), RowFill::Source::Initial, draft_.values[v].bytes, 0, 0});
    }
  }

  void registers(const Liveness& live) {
    for (ValueId element = 0; element < draft_.registers.size(); ++element) {
      const ValueId v = draft_.registers[element];
      const bool has_row = draft_.values[v].is_fill || !live.intervals[v].empty();
      function_.register_rows.push_back(has_row ? row(v) : no_register);
      function_.register_fixed.push_back(v != element);
    }
  }

  Draft& draft_;
  Function& function_;
  std::vector<std::uint32_t> number_;  // by block of the draft: where it stands
  std::vector<std::uint32_t> row_counts_;
  RowAllocation rows_;
};

}  // namespace

void emit(Draft draft, Function& function) { Emitter(draft, function).run(); }

}  // namespace wedjat::kernel
