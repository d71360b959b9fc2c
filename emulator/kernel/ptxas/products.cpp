#include "emulator/kernel/ptxas/products.h"

#include <algorithm>
#include <unordered_map>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/draft/live_steps.h"
#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/ptxas/free_products.h"

namespace wedjat::kernel {
namespace {

using Kind = ContractionRules::Kind;
using Held = std::unordered_map<ValueId, Summand>;  // the product that each value is now

class Finder {
 public:
  Finder(const Draft& draft, const ContractionRules& rules)
      : draft_(draft),
        rules_(rules),
        blocks_(reachable_blocks(draft)),
        live_(live_steps(draft, blocks_)),
        values_(draft, blocks_),
        writers_(draft, blocks_),
        literals_(find_literals(draft, rules, writers_)) {}

  Products run() {
    find_free();
    for (const std::vector<std::uint32_t>& run : straight_runs(draft_, blocks_)) scan(run);
    std::ranges::sort(found_.sums, {}, &Sum::step);
    return std::move(found_);
  }

 private:
  // In source order: what a free product is moved to comes after it.
  void find_free() {
    for (std::uint32_t i = 0; i < draft_.steps.size(); ++i) {
      const DraftStep& step = draft_.steps[i];
      if (!live_[i]) continue;
      const std::span<const Use> uses = draft_.uses_of(step);
      if (rules_.kind(step.form) == Kind::product && !is_scaled(step) &&
          is_free_product(draft_, step, literals_, writers_, values_)) {
        Summand summand = add_product(i);
        for (unsigned f = 0; f < 2; ++f) summand.overwritten[f] = !keeps(uses[1 + f].value);
        free_.emplace(uses[0].value, summand);
      } else if (const auto from = passed_on(step, free_);
                 from != free_.end() && writers_.once(uses[0].value)) {
        found_.products[from->second.product].between.push_back(i);
        free_.emplace(uses[0].value, passed(step, from->second));
      }
    }
  }

  void scan(const std::vector<std::uint32_t>& run) {
    held_.clear();
    for (std::uint32_t b : run) {
      const DraftBlock& block = draft_.blocks[b];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        if (live_[i]) step(i);
      }
      each_access(
          draft_, block.end, [&](ValueId v) { spoil(v); },
          [&](ValueId v, bool whole) { overwrite(v, whole); });
    }
    for (const auto& [value, summand] : held_) {
      if (values_.is_out(run.back(), value)) found_.products[summand.product].contractible = false;
    }
    ++stretch_;
  }

  void step(std::uint32_t i) {
    const DraftStep& step = draft_.steps[i];
    const Kind kind = rules_.kind(step.form);
    const std::span<const Use> uses = draft_.uses_of(step);
    if (rules_.is_barrier(step)) ++stretch_;
    if (!uses.empty() && free_.contains(uses[0].value)) {  // a free product or what passes it on
      if (kind == Kind::product)
        each_access(
            draft_, step, [&](ValueId v) { spoil(v); }, [](ValueId, bool) {});
      return;
    }
    for (const Held* held : {&held_, &free_}) {
      if (const auto from = passed_on(step, *held); from != held->end()) {
        found_.products[from->second.product].between.push_back(i);
        return hold(uses[0].value, passed(step, from->second));
      }
    }
    if (kind == Kind::sum || kind == Kind::difference)
      sum(i);
    else
      each_access(
          draft_, step, [&](ValueId v) { spoil(v); }, [](ValueId, bool) {});
    const bool is_product = kind == Kind::product && step.guard == no_value && !is_constant(uses);
    const auto written = is_product ? std::array{writes_[uses[1].value], writes_[uses[2].value]}
                                    : std::array<std::uint32_t, 2>{};
    each_access(
        draft_, step, [](ValueId) {}, [&](ValueId v, bool whole) { overwrite(v, whole); });
    if (is_product) {
      const Summand summand = add_product(i);
      local_.insert_or_assign(summand.product, Local{stretch_, written});
      hold(uses[0].value, summand);
    }
  }

  void sum(std::uint32_t i) {
    const DraftStep& step = draft_.steps[i];
    const std::span<const Use> uses = draft_.uses_of(step);
    Sum sum{.step = i, .summands = {}};
    for (unsigned s = 0; s < 2; ++s) {
      const Summand* summand = find(uses[1 + s].value);
      if (summand == nullptr) continue;
      Product& product = found_.products[summand->product];
      ++product.uses;
      sum.summands[s] = *summand;
      const DraftStep& multiply = draft_.steps[product.step];
      const bool is_taken_away = s == 1 && rules_.kind(step.form) == Kind::difference;
      if (rules_.fused(*multiply.form, *step.form) == nullptr || (summand->magnitude && is_taken_away))
        product.contractible = false;
      if (const auto local = local_.find(summand->product); local != local_.end()) {
        if (local->second.stretch != stretch_) product.contractible = false;
        for (unsigned f = 0; f < 2; ++f)
          sum.summands[s]->overwritten[f] =
              writes_[draft_.uses_of(multiply)[1 + f].value] != local->second.written[f];
      }
    }
    if (sum.summands[0] && sum.summands[1] && sum.summands[0]->product == sum.summands[1]->product)
      found_.products[sum.summands[0]->product].contractible = false;
    if (sum.summands[0] || sum.summands[1]) found_.sums.push_back(sum);
  }

  Summand add_product(std::uint32_t step) {
    found_.products.push_back({.step = step, .between = {}});
    return {.product = static_cast<std::uint32_t>(found_.products.size() - 1)};
  }

  // The entry of `held` that the step moves, negates or makes positive; end() if it does not.
  Held::const_iterator passed_on(const DraftStep& step, const Held& held) const {
    const std::span<const Use> uses = draft_.uses_of(step);
    if (step.form == nullptr || step.guard != no_value || uses.size() != 2 || uses[0].role != Role::Out)
      return held.end();
    const auto from = held.find(uses[1].value);
    if (from == held.end()) return from;
    const DraftStep& multiply = draft_.steps[found_.products[from->second.product].step];
    const Form& product = *multiply.form;
    const std::span<const Use> factors = draft_.uses_of(multiply).subspan(1);
    if (factors[0].value == factors[1].value && !from->second.negated &&
        rules_.is_magnitude_of_square(product, *step.form))
      return from;
    if (from->second.magnitude && rules_.kind(step.form) == Kind::sign) return held.end();
    const bool moves = is(step.form, Operation::copy) &&
                       draft_.values[uses[0].value].bytes == draft_.values[uses[1].value].bytes;
    return moves || rules_.looks_through(product, *step.form) ? from : held.end();
  }

  // What the step, which passes it on, makes of a summand.
  Summand passed(const DraftStep& step, Summand summand) const {
    const Kind kind = rules_.kind(step.form);
    summand.negated ^= kind == Kind::sign;
    summand.magnitude |= kind == Kind::magnitude;
    return summand;
  }

  // A quotient whose factors are computed from both operands.
  bool is_scaled(const DraftStep& step) const {
    const auto* quotient = rules_.quotient(*step.form);
    return quotient != nullptr && (quotient->small || quotient->large);
  }

  // Whether the value is the same wherever a free product of it is needed.
  bool keeps(ValueId value) const { return draft_.values[value].is_fill || writers_.once(value); }

  bool is_constant(std::span<const Use> factors) const {
    const auto constant = [&](const Use& use) {
      const Value& value = draft_.values[use.value];
      return value.is_fill && value.fill.source == RowFill::Source::Constant;
    };
    return constant(factors[1]) && constant(factors[2]);
  }

  const Summand* find(ValueId value) const {
    if (const auto held = held_.find(value); held != held_.end()) return &held->second;
    const auto free = free_.find(value);
    return free == free_.end() ? nullptr : &free->second;
  }

  void hold(ValueId value, Summand summand) {
    overwrite(value, true);
    held_.insert_or_assign(value, summand);
  }

  // A use that cannot be contracted.
  void spoil(ValueId value) {
    const Summand* summand = find(value);
    if (summand == nullptr) return;
    Product& product = found_.products[summand->product];
    ++product.uses;
    product.contractible = false;
  }

  void overwrite(ValueId value, bool whole) {
    if (!whole) spoil(value);
    ++writes_[value];
    held_.erase(value);
  }

  struct Local {
    std::uint32_t stretch;
    std::array<std::uint32_t, 2> written;  // writes_ of its factors
  };

  const Draft& draft_;
  const ContractionRules& rules_;
  const std::vector<std::uint32_t> blocks_;
  const std::vector<bool> live_;
  const LiveValues values_;
  const Writers writers_;
  const std::vector<bool> literals_;
  Products found_;
  Held held_, free_;
  std::unordered_map<std::uint32_t, Local> local_;     // by product; free ones have none
  std::unordered_map<ValueId, std::uint32_t> writes_;  // by value: how often so far
  std::uint32_t stretch_ = 0;                          // counts runs and barriers
};

}  // namespace

Products find_products(const Draft& draft, const ContractionRules& rules) {
  return Finder(draft, rules).run();
}

}  // namespace wedjat::kernel
