#include "emulator/kernel/ptxas/contraction_rules.h"

#include <algorithm>

#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::kernel {

const ContractionRules& ContractionRules::generated() {
  static const ContractionRules rules;
  return rules;
}

ContractionRules::ContractionRules() : rows_(profile_rows<Contraction>()) {
  for (const Contraction& row : rows_) {
    kinds_.emplace(row.product, Kind::product);
    kinds_.emplace(row.sum, Kind::sum);
    kinds_.emplace(row.difference, Kind::difference);
    kinds_.emplace(row.negation, Kind::sign);
  }
  for (const SquareMagnitude& row : profile_rows<SquareMagnitude>())
    kinds_.emplace(row.magnitude, Kind::magnitude);
  const auto large = instructions("quotient_of_large");
  for (const ContractedQuotient& row : profile_rows<ContractedQuotient>())
    quotients_.emplace(row.quotient, Quotient{{row},
                                              !traits_of(*row.quotient).has(trait::flushes),
                                              std::ranges::find(large, row.quotient) != large.end()});
  for (const UnitProduct& row : profile_rows<UnitProduct>()) unit_products_.emplace(row.product, row.result);
  for (const Form* form : instructions("contraction_folded")) folded_.insert(form);
  for (const Form* form : instructions("literal_computed")) computed_.insert(form);
  for (const Form* form : instructions("contraction_barrier")) kinds_.emplace(form, Kind::barrier);
}

ContractionRules::Kind ContractionRules::kind(const Form* form) const {
  const auto known = kinds_.find(form);
  return known == kinds_.end() ? Kind::other : known->second;
}

bool ContractionRules::is_barrier(const DraftStep& step) const {
  if (step.form == nullptr) {
    const auto op = static_cast<SystemOp>(step.flags >> 8);
    return op != SystemOp::Refresh && op != SystemOp::Nanosleep;
  }
  constexpr std::uint32_t accesses =
      effect::reads_memory | effect::writes_memory | effect::updates_memory | effect::barrier;
  return kind(step.form) == Kind::barrier || (step.form->effects & effect::fence) != 0 ||
         (step.guard != no_value && (step.form->effects & accesses) != 0);
}

const Form* ContractionRules::fused(const Form& product, const Form& sum) const {
  const auto row = std::ranges::find_if(rows_, [&](const Contraction& r) {
    return r.product == &product && (r.sum == &sum || r.difference == &sum);
  });
  return row == rows_.end() ? nullptr : row->fused;
}

bool ContractionRules::looks_through(const Form& product, const Form& sign) const {
  return std::ranges::any_of(
      rows_, [&](const Contraction& r) { return r.product == &product && r.negation == &sign; });
}

bool ContractionRules::is_magnitude_of_square(const Form& product, const Form& magnitude) const {
  return std::ranges::any_of(profile_rows<SquareMagnitude>(), [&](const SquareMagnitude& row) {
    return row.square == &product && row.magnitude == &magnitude;
  });
}

const ContractionRules::Quotient* ContractionRules::quotient(const Form& product) const {
  const auto known = quotients_.find(&product);
  return known == quotients_.end() ? nullptr : &known->second;
}

const ScaleSteps& ContractionRules::scale_steps() const { return profile_rows<ScaleSteps>().front(); }

const Form* ContractionRules::unit_product(const Form& product) const {
  const auto known = unit_products_.find(&product);
  return known == unit_products_.end() ? nullptr : known->second;
}

const Form& ContractionRules::negation(const Form& product) const {
  return *std::ranges::find(rows_, &product, &Contraction::product)->negation;
}

}  // namespace wedjat::kernel
