// Which instructions ptxas contracts, as the target's profile lists them
// (semantics/profiles/sm_90_contraction.psem).
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/kernel/draft.h"
#include "emulator/kernel/form.h"

namespace wedjat::kernel {

class ContractionRules {
 public:
  enum class Kind : std::uint8_t {
    other,
    product,
    sum,
    difference,
    sign,     ///< negates, and contraction looks through it
    barrier,  ///< becomes branches before contraction, which then does not look past it
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
  /// What divides by a constant in this one's place; null if nothing does.
  const Form* by_constant(const Form* quotient) const;
  /// Whether the quotient scales its dividend to suit the divisor.
  bool scales(const Form* quotient) const { return scaled_.contains(quotient); }
  /// Negates a factor or the other summand.
  const Form& negation(const Form& product) const;

 private:
  struct Row {
    const Form *product, *sum, *difference, *fused, *negation;
  };
  std::vector<Row> rows_;
  std::unordered_map<const Form*, const Form*> by_constant_;
  std::unordered_set<const Form*> scaled_;
  std::unordered_map<const Form*, Kind> kinds_;
};

}  // namespace wedjat::kernel
