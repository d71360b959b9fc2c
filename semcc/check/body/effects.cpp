#include "semcc/check/body/effects.h"

#include <algorithm>

#include "semcc/check/body/prune.h"

namespace semcc::check {
namespace {

bool seen_by_other_ctas(ir::Space space) { return space == ir::Space::Generic || space == ir::Space::Global; }

void statement_effects(const ir::Stmt& s, ir::Effects& effects) {
  using What = ir::Stmt::What;
  switch (s.what) {
    case What::Let:
      if (s.value->op == ir::Op::MemoryRead) {
        effects.reads_memory = true;
        effects.ordered = effects.ordered || (s.labels.sem != "weak" && seen_by_other_ctas(s.labels.space));
      } else if (s.value->op == ir::Op::MemoryUpdate) {
        effects.updates_memory = true;
        const bool depends = s.index >= 0 || s.type.kind == ir::Kind::Float;
        effects.ordered = effects.ordered || (depends && seen_by_other_ctas(s.labels.space));
      }
      break;
    case What::ReadTile:
      effects.reads_memory = true;
      break;
    case What::Gather:
      effects.reads_other_lanes = true;
      break;
    case What::MemoryWrite:
    case What::WriteTile:
      effects.writes_memory = true;
      break;
    case What::Transfer:
      effects.reads_memory = true;
      if (s.name.rfind("texture_", 0) == 0 || s.name.rfind("surface_", 0) == 0) break;
      if (s.name == "multicast_reduce") break;
      effects.writes_memory = effects.writes_memory || !s.value;
      effects.updates_memory = effects.updates_memory || s.value;
      effects.ordered = effects.ordered ||
                        (s.value && s.type.kind == ir::Kind::Float && seen_by_other_ctas(s.labels.space));
      break;
    case What::Require:
      effects.can_fail = true;
      break;
    case What::Fence:
      effects.fence = true;
      break;
    case What::Barrier:
      effects.barrier = true;
      break;
    case What::AssignState:
      effects.writes_state = true;
      break;
    default:
      break;
  }
}

}  // namespace

void derive_effects(ir::Form& form) {
  for (const ir::Stmt& s : form.body) {
    statement_effects(s, form.effects);
    each_expr(s, [&](const ir::Expr& e) {
      if (e.op == ir::Op::State) form.effects.reads_state = true;
      const bool other_lane = (e.op == ir::Op::Operand && !e.args.empty()) || e.op == ir::Op::Ballot ||
                              e.op == ir::Op::Reduce || e.op == ir::Op::PredMask;
      if (other_lane) form.effects.reads_other_lanes = true;
    });
  }
}

}  // namespace semcc::check
