#include "emulator/compile/analysis/step_rows.h"

#include <array>

namespace wedjat::compile {

namespace {

using kernel::SystemOp;

struct SystemRow {
  std::uint8_t bytes;
  bool in, out;
};

// As kernel/lowered/step.h lists them.
std::vector<SystemRow> rows_of(SystemOp op, const kernel::Step& step) {
  switch (op) {
    case SystemOp::Refresh:
      return {{static_cast<std::uint8_t>(step.row[2]), false, true}};
    case SystemOp::Vprintf:
      return {{4, false, true}, {8, true, false}, {8, true, false}};
    case SystemOp::AssertFail:
      return {{8, true, false}, {8, true, false}, {4, true, false}, {8, true, false}, {8, true, false}};
    case SystemOp::Malloc:
    case SystemOp::Alloca:
      return {{8, false, true}, {8, true, false}};
    case SystemOp::Free:
    case SystemOp::StackRestore:
      return {{8, true, false}};
    case SystemOp::StackSave:
      return {{8, false, true}};
    case SystemOp::Nanosleep:
      return {{4, true, false}};
    case SystemOp::Breakpoint:
      return {};
  }
  return {};
}

}  // namespace

std::vector<RowUse> rows_of(const kernel::Step& step, const exec::Probes* probes) {
  std::vector<RowUse> uses;
  if (exec::is_probe(step)) {
    const exec::Probe& probe = probes->of(step);
    const auto reads = [&](const exec::ProbeRow& row) {
      uses.push_back({.offset = row.offset, .bytes = row.bytes, .in = true});
    };
    if (probe.guard != 0) reads({.offset = guard_row(probe.guard)});
    for (const exec::ProbeRow& row : probe.rows) reads(row);
    for (const exec::ProbeCondition& condition : probe.only)
      if (condition.test != exec::ProbeCondition::Test::partial) reads(condition.row);
    for (const exec::InlinedFunction& function : probe.inlined)
      for (const exec::ProbeRow& row : function.values) reads(row);
    if (probe.within != exec::Probe::no_cell) reads({.offset = probe.within_access.address, .bytes = 8});
    for (const exec::TalliedAccess& access : probe.access) reads({.offset = access.address, .bytes = 8});
    return uses;
  }
  if (step.flags & kernel::step_flag::system) {
    for (const SystemRow& row : rows_of(static_cast<SystemOp>(step.flags >> 8), step)) {
      const auto index = static_cast<std::uint16_t>(uses.size());
      uses.push_back({step.row[index], row.bytes, row.in, row.out, 0, index});
    }
    return uses;
  }
  std::uint16_t index = 0;
  for (std::uint8_t operand = 0; operand < step.form->operands; ++operand) {
    const kernel::OperandSpec& spec = step.form->operand[operand];
    const bool predicate = spec.value == kernel::ValueKind::Pred;
    const auto bytes = static_cast<std::uint8_t>(predicate ? 0 : spec.bits / 8);
    for (unsigned element = 0; element < spec.count; ++element, ++index)
      uses.push_back({step.row[index], bytes, spec.in || !spec.out, spec.out, operand, index});
  }
  return uses;
}

std::vector<RowUse> rows_of(const kernel::Terminator& end, const kernel::Function& function) {
  std::vector<RowUse> uses;
  const auto add = [&](const std::vector<kernel::Place>& places, bool out) {
    for (const kernel::Place& place : places)
      if (place.kind == kernel::Place::Kind::Row)
        uses.push_back({place.offset, static_cast<std::uint8_t>(place.bytes), !out, out, 0, 0});
  };
  if (end.guard != 0) uses.push_back({guard_row(end.guard), 0, true, false, 0, 0});
  if (end.kind == kernel::End::IndexedBranch) uses.push_back({end.row, 4, true, false, 0, 0});
  if (end.kind == kernel::End::Call) {
    if (end.target == kernel::Terminator::indirect) uses.push_back({end.row, 8, true, false, 0, 0});
    add(end.arguments, false);
    add(end.results, true);
  }
  if (end.kind == kernel::End::Return) add(function.results, false);
  return uses;
}

}  // namespace wedjat::compile
