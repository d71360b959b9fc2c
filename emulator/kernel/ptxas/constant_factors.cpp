#include "emulator/kernel/ptxas/constant_factors.h"

#include <bit>
#include <cmath>
#include <optional>

#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/forms/compute.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/ptxas/free_products.h"

namespace wedjat::kernel {
namespace {

class Rewriter {
 public:
  Rewriter(Draft& draft, const ContractionRules& rules, const FormTable& table)
      : draft_(draft), rules_(rules), micro_(table), writers_(draft, reachable_blocks(draft)) {}

  void run(Contract how) {
    for (DraftStep& step : draft_.steps) {
      if (rules_.kind(step.form) != ContractionRules::Kind::product || step.guard != no_value) continue;
      if (const auto* quotient = rules_.quotient(*step.form)) multiply_instead(step, *quotient);
      if (how == Contract::ptxas && rules_.quotient(*step.form) == nullptr) drop_unit_factor(step);
    }
  }

 private:
  void multiply_instead(DraftStep& step, const ContractionRules::Quotient& quotient) {
    const std::optional<std::uint64_t> pattern = constant(draft_.uses_of(step)[2].value);
    if (!pattern) return;
    const float divisor = std::bit_cast<float>(static_cast<std::uint32_t>(*pattern));
    if (!(std::fabs(divisor) >= 0x1p-126f && std::fabs(divisor) <= 0x1p126f)) return;
    step.form = quotient.by_constant;
    draft_.uses[step.first_use + 2].value =
        draft_.fill(RowFill::Source::Constant, 4, compute(*quotient.exact, {{*pattern}}));
  }

  void drop_unit_factor(DraftStep& step) {
    const OperandSpec& result = step.form->operand[0];
    if (result.parts != 1 || (result.bits != 32 && result.bits != 64)) return;
    for (unsigned f : {1u, 2u}) {
      const std::optional<std::uint64_t> pattern = constant(draft_.uses_of(step)[f].value);
      if (!pattern) continue;
      const double factor = result.bits == 64 ? std::bit_cast<double>(*pattern)
                                              : std::bit_cast<float>(static_cast<std::uint32_t>(*pattern));
      if (std::fabs(factor) != 1) continue;
      if (const Form* rounded = rules_.unit_product(*step.form)) {
        step.form = rounded;
        return;
      }
      step.form = factor > 0 ? &micro_.move(result.bits / 8) : &rules_.negation(*step.form);
      draft_.uses[step.first_use + 1] = draft_.uses_of(step)[3 - f];
      step.uses = 2;
      return;
    }
  }

  // What the value always is.
  std::optional<std::uint64_t> constant(ValueId id) const {
    if (!draft_.values[id].is_fill && writers_.once(id)) {
      const DraftStep& step = draft_.steps[writers_.step[id]];
      if (!is(step.form, Operation::copy) || step.uses != 2 || step.guard != no_value) return {};
      id = draft_.uses_of(step)[1].value;
    }
    const Value& value = draft_.values[id];
    if (!value.is_fill || value.fill.source != RowFill::Source::Constant) return {};
    return value.fill.value;
  }

  Draft& draft_;
  const ContractionRules& rules_;
  MicroForms micro_;
  const Writers writers_;
};

}  // namespace

void rewrite_constant_factors(Draft& draft, Contract how, const ContractionRules& rules,
                              const FormTable& table) {
  Rewriter(draft, rules, table).run(how);
}

}  // namespace wedjat::kernel
