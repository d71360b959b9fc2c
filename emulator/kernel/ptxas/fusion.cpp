#include "emulator/kernel/ptxas/fusion.h"

#include <bit>

namespace wedjat::kernel {
namespace {

// The sign bit of each part; 0 if the value is no constant of one machine word.
std::uint64_t sign_bits(const OperandSpec& spec) {
  const unsigned part = spec.bits / spec.parts;
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < spec.parts; ++i) bits |= std::uint64_t{1} << (part * (i + 1) - 1);
  return bits;
}

}  // namespace

void Fusion::insert(const Form& form, ValueId to, std::initializer_list<ValueId> from, std::uint32_t before) {
  DraftStep step;
  step.form = &form;
  step.id = draft_.steps[before].id;
  step.first_use = static_cast<std::uint32_t>(draft_.uses.size());
  step.uses = static_cast<std::uint32_t>(1 + from.size());
  step.is_own = true;
  draft_.uses.push_back({to, Role::Out});
  for (ValueId value : from) draft_.uses.push_back({value, Role::In});
  more_[before].push_back(step);
}

ValueId Fusion::insert(const Form& form, std::initializer_list<ValueId> from, std::uint32_t before) {
  const ValueId to = draft_.add(form.operand[0].bits / 8);
  insert(form, to, from, before);
  return to;
}

ValueId Fusion::negated(const Form& product, ValueId value, std::uint32_t before) {
  const Value from = draft_.values[value];
  if (from.is_fill && from.fill.source == RowFill::Source::Constant)
    return draft_.fill(RowFill::Source::Constant, from.bytes,
                       from.fill.value ^ sign_bits(product.operand[1]));
  return insert(rules_.negation(product), {value}, before);
}

ValueId Fusion::scale(const ContractionRules::Quotient& quotient, ValueId divisor, std::uint32_t before) {
  const ScaleSteps& forms = rules_.scale_steps();
  const auto constant = [&](float value) {
    return draft_.fill(RowFill::Source::Constant, 4, std::bit_cast<std::uint32_t>(value));
  };
  const ValueId magnitude = insert(*forms.magnitude, {divisor}, before);
  ValueId factor = constant(1);
  // A comparison is 1 or 0.
  if (quotient.small)
    factor = insert(
        *forms.choose,
        {insert(*forms.below, {magnitude, constant(0x1p-126f)}, before), constant(0x1p24f - 1), factor},
        before);
  if (quotient.large)
    factor =
        insert(*forms.choose,
               {insert(*forms.above, {magnitude, constant(0x1p126f)}, before), constant(0x1p-2f - 1), factor},
               before);
  return factor;
}

void Fusion::keep_quotient(const Product& product, const ContractionRules::Quotient& quotient) {
  const std::uint32_t at = product.step;
  const std::span<const Use> uses = draft_.uses_of(draft_.steps[at]);
  ValueId dividend = uses[1].value, divisor = uses[2].value;
  if (quotient.small || quotient.large) {
    const ValueId factor = scale(quotient, divisor, at);
    dividend = insert(*quotient.scale, {dividend, factor}, at);
    divisor = insert(*quotient.scale, {divisor, factor}, at);
  } else {
    dividend = insert(micro_.move(draft_.values[dividend].bytes), {dividend}, at);
  }
  kept_[{at, 0}] = dividend;
  kept_[{at, 1}] = insert(*quotient.reciprocal, {divisor}, at);
}

ValueId Fusion::kept(const Product& product, unsigned factor) {
  const std::pair key{product.step, factor};
  if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
  const DraftStep& multiply = draft_.steps[product.step];
  if (const auto* quotient = rules_.quotient(*multiply.form)) {
    keep_quotient(product, *quotient);
    return kept_[key];
  }
  const ValueId value = draft_.uses_of(multiply)[1 + factor].value;
  return kept_[key] = insert(micro_.move(draft_.values[value].bytes), {value}, product.step);
}

ValueId Fusion::factor(const Summand& summand, const Product& product, unsigned factor) {
  const DraftStep& multiply = draft_.steps[product.step];
  const bool as_it_stands = !summand.overwritten[factor] && rules_.quotient(*multiply.form) == nullptr;
  return as_it_stands ? draft_.uses_of(multiply)[1 + factor].value : kept(product, factor);
}

void Fusion::fuse(const Sum& sum, unsigned which, const Product& product) {
  const Form& multiply = *draft_.steps[product.step].form;
  const Form& add = *draft_.steps[sum.step].form;
  const Summand& summand = *sum.summands[which];
  ValueId factors[] = {factor(summand, product, 0), factor(summand, product, 1)};
  const bool subtracts = rules_.kind(&add) == ContractionRules::Kind::difference;
  if (summand.negated != (subtracts && which == 1)) {
    const bool second = draft_.values[factors[1]].is_fill;  // the sign of a constant costs nothing
    factors[second] = negated(multiply, factors[second], sum.step);
  }
  const ValueId result = draft_.uses_of(draft_.steps[sum.step])[0].value;
  ValueId other = draft_.uses_of(draft_.steps[sum.step])[2 - which].value;
  if (subtracts && which == 0) other = negated(multiply, other, sum.step);
  DraftStep& step = draft_.steps[sum.step];
  step.form = rules_.fused(multiply, add);
  step.first_use = static_cast<std::uint32_t>(draft_.uses.size());
  step.uses = 4;
  draft_.uses.push_back({result, Role::Out});
  for (ValueId value : {factors[0], factors[1], other}) draft_.uses.push_back({value, Role::In});
}

void Fusion::drop(const Product& product) {
  dropped_[product.step] = true;
  for (std::uint32_t step : product.between) dropped_[step] = true;
}

void Fusion::apply() {
  std::vector<DraftStep> steps;
  steps.reserve(draft_.steps.size());
  for (DraftBlock& block : draft_.blocks) {
    const auto first = static_cast<std::uint32_t>(steps.size());
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      steps.insert(steps.end(), more_[i].begin(), more_[i].end());
      if (!dropped_[i]) steps.push_back(draft_.steps[i]);
    }
    block.first = first;
    block.count = static_cast<std::uint32_t>(steps.size()) - first;
  }
  draft_.steps = std::move(steps);
}

}  // namespace wedjat::kernel
