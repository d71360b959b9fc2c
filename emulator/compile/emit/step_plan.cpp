#include "emulator/compile/emit/step_plan.h"

#include "emulator/compile/emit/widen.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::compile {

namespace {

using kernel::Operation;
using kernel::Space;

// What access/memory.cpp finds the way to.
bool is_near(Space space) {
  return space == Space::Global || space == Space::Generic || space == Space::Const || space == Space::Shared;
}

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
  if (!is_near(plan.space) && plan.space != Space::Local) return false;
  plan.bytes = plan.data.front().bytes * static_cast<unsigned>(plan.data.size());
  plan.kind = load ? StepPlan::Kind::load : StepPlan::Kind::store;
  return true;
}

// The same of reads of texels of a line, which are memory but for its ends, and
// of planes. Offsets count for nothing on a line. Where tools watch, they may
// want to be told of each texel.
bool plan_fetch(const kernel::Step& step, const HostCalls& host, StepPlan& plan) {
  const kernel::Traits& traits = host.traits_of(*step.form);
  const bool plane = traits.has(kernel::trait::samples);
  if (!(plane || traits.has(kernel::trait::fetches)) || (step.flags & ~kernel::step_flag::guard_negated) != 0)
    return false;
  for (const RowUse& row : plan.rows) {
    const kernel::OperandSpec& spec = step.form->operand[row.operand];
    if (spec.kind == kernel::OperandKind::Address)
      plan.line = row;
    else if (row.out && row.bytes != 0)
      plan.data.push_back(row);
    else if (row.in && !spec.optional)
      (plane && plan.address.bytes != 0 ? plan.down : plan.address) = row;
  }
  if (plan.data.size() != 4 || plan.address.bytes != 4 || plan.line.bytes != 8 ||
      (plane && plan.down.bytes != 4))
    return false;
  plan.space = Space::Global;
  plan.kind = plane ? StepPlan::Kind::sample : StepPlan::Kind::fetch;
  return true;
}

// The same of an update, whose lane function has the word as its last element.
bool plan_update(const kernel::Step& step, StepPlan& plan) {
  const llvm::Argument* const word = plan.lane->getArg(plan.word() + 1);
  for (const llvm::Instruction& instruction : plan.lane->getEntryBlock())
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load != nullptr && load->getPointerOperand()->stripPointerCasts() == word)
      plan.bytes = static_cast<unsigned>(load->getType()->getPrimitiveSizeInBits()) / 8;
  if (plan.bytes != 4 && plan.bytes != 8) return false;
  for (const RowUse& row : plan.rows) {
    const kernel::OperandSpec& spec = step.form->operand[row.operand];
    if (spec.kind == kernel::OperandKind::Address) {
      plan.address = row;
      plan.space = spec.space;
    } else if (row.bytes == 0) {
      return false;
    } else if (row.out) {
      plan.data.push_back(row);
    }
  }
  if (!is_near(plan.space)) return false;
  plan.kind = StepPlan::Kind::update;
  return true;
}

}  // namespace

StepPlan plan_of(const kernel::Step& step, const RowBytes& bytes, const Liveness& liveness,
                 LaneLibrary& lanes, const HostCalls& host) {
  StepPlan plan;
  plan.rows = liveness.rows_of(step);
  if (exec::is_probe(step)) {
    plan.kind = StepPlan::Kind::probe;
    return plan;
  }
  for (const RowUse& row : plan.rows)
    if (bytes[liveness.number(row.offset)] == untracked) return plan;
  if (plan_access(step, host, plan)) return plan;
  if (liveness.probes() == nullptr && plan_fetch(step, host, plan)) return plan;
  namespace flag = kernel::step_flag;
  const bool updates = (step.form->effects & kernel::effect::updates_memory) != 0;
  const unsigned known = flag::guard_negated | (updates ? flag::communicates : 0u);
  if ((step.flags & ~known) != 0) return plan;
  plan.lane = lanes.find(*step.form);
  if (plan.lane == nullptr || !can_widen(*plan.lane)) return plan;
  if (updates) {
    plan_update(step, plan);
    return plan;
  }
  plan.kind = StepPlan::Kind::compute;
  plan.nans = lanes.chosen_nans(*plan.lane);
  return plan;
}

}  // namespace wedjat::compile
