#include "emulator/kernel/ptxas/literals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/draft/versions.h"
#include "emulator/kernel/forms/micro_forms.h"

namespace wedjat::kernel {
namespace {

using Function = double (*)(double);

// Null: it is no function of one number.
Function function(std::string_view opcode) {
  if (opcode == "rcp") return [](double x) { return 1 / x; };
  if (opcode == "rsqrt") return [](double x) { return 1 / std::sqrt(x); };
  if (opcode == "sqrt") return [](double x) { return std::sqrt(x); };
  if (opcode == "ex2") return [](double x) { return std::exp2(x); };
  if (opcode == "lg2") return [](double x) { return std::log2(x); };
  if (opcode == "sin") return [](double x) { return std::sin(x); };
  if (opcode == "cos") return [](double x) { return std::cos(x); };
  return nullptr;
}

bool is_f32(const Form& form) { return std::string_view(form.text).ends_with(".f32"); }
bool is_flushing(const Form& form) {
  return std::string_view(form.text).find(".ftz") != std::string_view::npos;
}

// What ptxas makes of the sign of a literal NaN, where the hardware would leave its one NaN or the sign
// alone; nothing: it is no NaN, or this no change of sign.
std::optional<std::uint64_t> signed_nan(std::string_view opcode, std::uint64_t bits, unsigned bytes) {
  const std::uint64_t sign = 1ull << (8 * bytes - 1), infinity = bytes == 4 ? 0xffull << 23 : 0x7ffull << 52,
                      quiet = bytes == 4 ? 1ull << 22 : 1ull << 51;
  if ((bits & (sign - 1)) <= infinity) return {};
  if (opcode == "neg") return (bits ^ sign) | quiet;
  if (opcode == "abs") return (bits & ~sign) | quiet;
  return {};
}

class Literals {
 public:
  Literals(Draft& draft, const ContractionRules& rules, const FormTable& table)
      : draft_(draft),
        rules_(rules),
        micro_(table),
        blocks_(reachable_blocks(draft)),
        versions_(draft, blocks_) {}

  // In the order of the steps: what a loop reads before it writes it is not known.
  void run() {
    for (std::uint32_t b : blocks_) {
      block_ = b;
      const std::uint32_t end = draft_.blocks[b].first + draft_.blocks[b].count;
      for (step_ = draft_.blocks[b].first; step_ < end; ++step_) visit(draft_.steps[step_]);
    }
  }

 private:
  // Under a guard, too, it is computed, but what its register holds then is not known.
  void visit(DraftStep& step) {
    if (fold_sign(step)) return;
    const std::optional<float> result = of(step);
    if (!result) return;
    if (step.guard == no_value) known_[Versions::written(step_, 0)] = *result;
    if (function(step.form->opcode) != nullptr)
      become(step, sizeof(float), std::bit_cast<std::uint32_t>(*result));
  }

  void become(DraftStep& step, unsigned bytes, std::uint64_t literal) {
    step.form = &micro_.move(bytes);
    step.uses = 2;
    draft_.uses[step.first_use + 1].value = draft_.fill(RowFill::Source::Constant, bytes, literal);
  }

  bool fold_sign(DraftStep& step) {
    if (step.form == nullptr || step.uses != 2 || !rules_.computes(step.form)) return false;
    const Value& value = draft_.values[draft_.uses_of(step)[1].value];
    if (!value.is_fill || value.fill.source != RowFill::Source::Constant || value.bytes < 4) return false;
    const auto result = signed_nan(step.form->opcode, value.fill.value, value.bytes);
    if (result) become(step, value.bytes, *result);
    return result.has_value();
  }

  std::optional<float> of(ValueId id) {
    const Value& value = draft_.values[id];
    if (!value.is_fill) {
      const auto found = known_.find(versions_.read(id, block_, step_));
      return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    if (value.fill.source != RowFill::Source::Constant) return {};
    return usual(std::bit_cast<float>(static_cast<std::uint32_t>(value.fill.value)));
  }

  std::optional<float> of(const DraftStep& step) {
    if (step.form == nullptr || step.uses < 2) return {};
    const std::span<const Use> uses = draft_.uses_of(step);
    const std::string_view opcode = step.form->opcode;
    if (opcode == "mov") return step.uses == 2 ? of(uses[1].value) : std::nullopt;
    if (!rules_.computes(step.form) || !is_f32(*step.form)) return {};
    if (const Function compute = function(opcode))
      return compute_of(uses[1].value, compute, is_flushing(*step.form));
    const std::optional<float> a = of(uses[1].value);
    if (!a) return {};
    if (opcode == "neg") return -*a;
    if (opcode == "abs") return std::fabs(*a);
    if (step.uses != 3) return {};
    const std::optional<float> b = of(uses[2].value);
    if (!b) return {};
    if (opcode == "add") return usual(*a + *b);
    if (opcode == "sub") return usual(*a - *b);
    if (opcode == "mul") return usual(*a * *b);
    if (opcode == "div") return usual(*a * (1 / *b));
    if (opcode == "min") return std::min(*a, *b);
    if (opcode == "max") return std::max(*a, *b);
    return {};
  }

  // Of a subnormal number, too, where the instruction does not flush it.
  std::optional<float> compute_of(ValueId id, Function compute, bool flushes) {
    const Value& value = draft_.values[id];
    if (!value.is_fill || flushes) {
      const std::optional<float> a = of(id);
      return a ? usual(static_cast<float>(compute(*a))) : std::nullopt;
    }
    if (value.fill.source != RowFill::Source::Constant) return {};
    const auto a = std::bit_cast<float>(static_cast<std::uint32_t>(value.fill.value));
    return std::isfinite(a) ? usual(static_cast<float>(compute(a))) : std::nullopt;
  }

  static std::optional<float> usual(float value) {
    return value == 0 || std::isnormal(value) ? std::optional(value) : std::nullopt;
  }

  Draft& draft_;
  const ContractionRules& rules_;
  MicroForms micro_;
  const std::vector<std::uint32_t> blocks_;
  Versions versions_;
  std::uint32_t block_ = 0, step_ = 0;
  std::unordered_map<Version, float> known_;
};

}  // namespace

void fold_literals(Draft& draft, const ContractionRules& rules, const FormTable& table) {
  const auto may_change = [&](const DraftStep& step) {
    return rules.computes(step.form) && (function(step.form->opcode) != nullptr ||
                                         step.form->opcode == "neg" || step.form->opcode == "abs");
  };
  if (std::ranges::any_of(draft.steps, may_change)) Literals(draft, rules, table).run();
}

}  // namespace wedjat::kernel
