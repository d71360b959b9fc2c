#include "emulator/kernel/fusion.h"

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

void Fusion::insert(const Form& form, ValueId to, ValueId from, std::uint32_t before) {
  DraftStep step;
  step.form = &form;
  step.id = draft_.steps[before].id;
  step.first_use = static_cast<std::uint32_t>(draft_.uses.size());
  step.uses = 2;
  step.is_own = true;
  draft_.uses.push_back({to, Role::Out});
  draft_.uses.push_back({from, Role::In});
  more_[before].push_back(step);
}

ValueId Fusion::negated(const Form& product, ValueId value, std::uint32_t before) {
  const Value from = draft_.values[value];
  if (from.is_fill && from.fill.source == RowFill::Source::Constant)
    return draft_.fill(RowFill::Source::Constant, from.bytes,
                       from.fill.value ^ sign_bits(product.operand[1]));
  const ValueId to = draft_.add(from.bytes);
  insert(rules_.negation(product), to, value, before);
  return to;
}

ValueId Fusion::kept(const Product& product, unsigned factor) {
  const auto [known, added] = kept_.try_emplace({product.step, factor}, no_value);
  if (!added) return known->second;
  const ValueId value = draft_.uses_of(draft_.steps[product.step])[1 + factor].value;
  const unsigned bytes = draft_.values[value].bytes;
  const ValueId copy = draft_.add(bytes);
  insert(micro_.move(bytes), copy, value, product.step);
  return known->second = copy;
}

void Fusion::fuse(const Sum& sum, unsigned which, const Product& product) {
  const Form& multiply = *draft_.steps[product.step].form;
  const Form& add = *draft_.steps[sum.step].form;
  const Summand& summand = *sum.summands[which];
  ValueId factors[2];
  for (unsigned f = 0; f < 2; ++f) {
    factors[f] =
        summand.overwritten[f] ? kept(product, f) : draft_.uses_of(draft_.steps[product.step])[1 + f].value;
  }
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
