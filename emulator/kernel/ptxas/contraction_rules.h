// Which instructions ptxas contracts, as the target's profile lists them
// (semantics/profiles/sm_90_contraction.psem).
#pragma once
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/forms/form.h"
#include "emulator/kernel/forms/profile_rows.h"

namespace wedjat::kernel {

class ContractionRules {
 public:
  enum class Kind : std::uint8_t {
    other,
    product,
    sum,
    difference,
    sign,       ///< negates, and contraction looks through it
    magnitude,  ///< is the same as a square, and contraction looks through it then
    barrier,    ///< becomes branches before contraction, which then does not look past it
  };

  /// As generated; the lists are read once.
  static const ContractionRules& generated();
  ContractionRules();

  Kind kind(const Form* form) const;
  /// As Kind::barrier, and so are fences, calls of the system, and guarded accesses of memory and barriers.
  bool is_barrier(const DraftStep& step) const;
  /// The instruction that does both; null if the two do not go together.
  const Form* fused(const Form& product, const Form& sum) const;
  /// Whether a negation of the product's value may lie between the two.
  bool looks_through(const Form& product, const Form& sign) const;
  /// Whether the absolute value of the product is dropped if its factors are one value.
  bool is_magnitude_of_square(const Form& product, const Form& magnitude) const;
  /// A quotient is the product of its dividend and the reciprocal of its divisor. Both are scaled first where
  /// the special-function unit does not reach the divisor.
  struct Quotient : ContractedQuotient {
    bool small, large;  ///< divisors below 2^-126 are scaled by 2^24, above 2^126 by 2^-2
  };
  /// Null for products.
  const Quotient* quotient(const Form& product) const;
  const ScaleSteps& scale_steps() const;
  /// The product of 1 or -1 that is as good but never contracted; null if it becomes no instruction at all.
  const Form* unit_product(const Form& product) const;
  /// Of literals it is a literal.
  bool folds(const Form* form) const { return folded_.contains(form); }
  /// Of literals it is computed, though its result may be no literal to contraction.
  bool computes(const Form* form) const { return folds(form) || computed_.contains(form); }
  /// Negates a factor or the other summand.
  const Form& negation(const Form& product) const;

 private:
  std::span<const Contraction> rows_;
  std::unordered_map<const Form*, Quotient> quotients_;
  std::unordered_map<const Form*, const Form*> unit_products_;
  std::unordered_map<const Form*, Kind> kinds_;
  std::unordered_set<const Form*> folded_, computed_;
};

}  // namespace wedjat::kernel
