#include "emulator/kernel/ptxas/contraction_rules.h"

#include <algorithm>
#include <stdexcept>

#include "emulator/kernel/forms/instruction_lists.h"

namespace wedjat::kernel {

const ContractionRules& ContractionRules::generated() {
  static const ContractionRules rules;
  return rules;
}

ContractionRules::ContractionRules() {
  const auto products = instructions("contracted_product"), sums = instructions("contracted_sum"),
             differences = instructions("contracted_difference"), results = instructions("contracted_result"),
             negations = instructions("contracted_negation");
  const std::size_t columns = products.size();
  for (const auto& list : {sums, differences, results, negations}) {
    if (list.size() != columns)
      throw std::logic_error("the contraction lists of the profile differ in length");
  }
  for (std::size_t i = 0; i < columns; ++i) {
    rows_.push_back({products[i], sums[i], differences[i], results[i], negations[i]});
    kinds_.emplace(products[i], Kind::product);
    kinds_.emplace(sums[i], Kind::sum);
    kinds_.emplace(differences[i], Kind::difference);
    kinds_.emplace(negations[i], Kind::sign);
  }
  const auto squares = instructions("contracted_square"), magnitudes = instructions("contracted_magnitude");
  for (std::size_t i = 0; i < squares.size(); ++i) {
    magnitudes_.emplace_back(squares[i], magnitudes[i]);
    kinds_.emplace(magnitudes[i], Kind::magnitude);
  }
  const auto quotients = instructions("contracted_quotient"),
             reciprocals = instructions("contracted_reciprocal"), scales = instructions("contracted_scale"),
             by_constants = instructions("contracted_quotient_by_constant");
  for (std::size_t i = 0; i < quotients.size(); ++i) {
    const std::string_view text = quotients[i]->text;
    quotients_.emplace(quotients[i], Quotient{.reciprocal = reciprocals[i],
                                              .scale = scales[i],
                                              .product = by_constants[i],
                                              .small = text.find(".ftz") == text.npos,
                                              .large = text.find(".full") != text.npos});
  }
  const auto units = instructions("unit_product"), rounded = instructions("unit_product_result");
  for (std::size_t i = 0; i < units.size(); ++i) unit_products_.emplace(units[i], rounded[i]);
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
  const auto row = std::ranges::find_if(
      rows_, [&](const Row& r) { return r.product == &product && (r.sum == &sum || r.difference == &sum); });
  return row == rows_.end() ? nullptr : row->fused;
}

bool ContractionRules::looks_through(const Form& product, const Form& sign) const {
  return std::ranges::any_of(rows_,
                             [&](const Row& r) { return r.product == &product && r.negation == &sign; });
}

bool ContractionRules::is_magnitude_of_square(const Form& product, const Form& magnitude) const {
  return std::ranges::find(magnitudes_, std::pair(&product, &magnitude)) != magnitudes_.end();
}

const ContractionRules::Quotient* ContractionRules::quotient(const Form& product) const {
  const auto known = quotients_.find(&product);
  return known == quotients_.end() ? nullptr : &known->second;
}

ContractionRules::ScaleForms ContractionRules::scale_forms() const {
  const auto forms = instructions("contracted_scale_steps");
  return {forms[0], forms[1], forms[2], forms[3]};
}

const Form* ContractionRules::unit_product(const Form& product) const {
  const auto known = unit_products_.find(&product);
  return known == unit_products_.end() ? nullptr : known->second;
}

const Form& ContractionRules::negation(const Form& product) const {
  return *std::ranges::find(rows_, &product, &Row::product)->negation;
}

}  // namespace wedjat::kernel
