// Rewrites the steps of a draft when a sum and its product become one.
#pragma once
#include <initializer_list>
#include <map>
#include <vector>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/ptxas/contraction_rules.h"
#include "emulator/kernel/ptxas/products.h"

namespace wedjat::kernel {

class Fusion {
 public:
  Fusion(Draft& draft, const ContractionRules& rules, const FormTable& table)
      : draft_(draft),
        rules_(rules),
        micro_(table),
        more_(draft.steps.size()),
        dropped_(draft.steps.size()) {}

  /// `sum` computes summand `which`, which is `product`, and the other one in one step.
  void fuse(const Sum& sum, unsigned which, const Product& product);
  /// Nobody reads the product any more.
  void drop(const Product& product);
  /// Carries everything out: steps change places.
  void apply();

 private:
  /// What stands for the factor where the sum is.
  ValueId factor(const Summand& summand, const Product& product, unsigned factor);
  /// Computed at the product, for later, once: the factor itself, or of a quotient the scaled dividend and
  /// the reciprocal of the scaled divisor.
  ValueId kept(const Product& product, unsigned factor);
  void keep_quotient(const Product& product, const ContractionRules::Quotient& quotient);
  ValueId scale(const ContractionRules::Quotient& quotient, ValueId divisor, std::uint32_t before);
  ValueId negated(const Form& product, ValueId value, std::uint32_t before);
  void insert(const Form& form, ValueId to, std::initializer_list<ValueId> from, std::uint32_t before);
  ValueId insert(const Form& form, std::initializer_list<ValueId> from, std::uint32_t before);

  Draft& draft_;
  const ContractionRules& rules_;
  MicroForms micro_;
  std::vector<std::vector<DraftStep>> more_;                    // by step: what comes before it
  std::vector<bool> dropped_;                                   // by step
  std::map<std::pair<std::uint32_t, unsigned>, ValueId> kept_;  // by step of the product and factor
};

}  // namespace wedjat::kernel
