#include "emulator/compile/emit/step_plan.h"

#include "emulator/compile/emit/widen.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::compile {

namespace {

using kernel::Operation;
using kernel::Space;

// Fills in what a plain access of memory is made of; false if this is none.
bool plan_access(const kernel::Step& step, const HostCalls& host, StepPlan& plan) {
  const kernel::Form& form = *step.form;
  const Operation operation = host.traits_of(form).operation;
  const bool load = operation == Operation::load, store = operation == Operation::store;
  if ((!load && !store) || (step.flags & ~kernel::step_flag::guard_negated) != 0) return false;
  std::uint16_t addresses = 0;
  for (const RowUse& row : plan.rows) {
    const kernel::OperandSpec& spec = form.operand[row.operand];
    if (spec.kind == kernel::OperandKind::Address) {
      plan.address = row;
      plan.space = spec.space;
      ++addresses;
    } else if (load ? row.out
                    : (spec.kind == kernel::OperandKind::Register ||
                       spec.kind == kernel::OperandKind::Vector) &&
                          !spec.optional) {
      plan.data.push_back(row);
    }
  }
  if (addresses != 1 || plan.data.empty() || plan.data.size() > 4) return false;
  for (const RowUse& row : plan.data)
    if (row.bytes == 0 || row.bytes != plan.data.front().bytes || row.operand != plan.data.front().operand)
      return false;
  switch (plan.space) {
    case Space::Global:
    case Space::Generic:
    case Space::Const:
    case Space::Shared:
      break;
    default:
      return false;
  }
  plan.kind = load ? StepPlan::Kind::load : StepPlan::Kind::store;
  return true;
}

}  // namespace

StepPlan plan_of(const kernel::Step& step, const RowBytes& bytes, const Liveness& liveness,
                 LaneLibrary& library, const HostCalls& host) {
  StepPlan plan;
  plan.rows = rows_of(step);
  for (const RowUse& row : plan.rows)
    if (bytes[liveness.number(row.offset)] == untracked) return plan;
  if (plan_access(step, host, plan)) return plan;
  if ((step.flags & ~kernel::step_flag::guard_negated) != 0) return plan;
  plan.lane = library.find(*step.form);
  if (plan.lane == nullptr || !can_widen(*plan.lane)) return plan;
  plan.kind = StepPlan::Kind::compute;
  return plan;
}

}  // namespace wedjat::compile
