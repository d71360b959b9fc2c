#include "semcc/check/family/traits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semcc/ir/traits.h"

namespace semcc::check {

void Traits::fill(const Bound& bound, ir::Form& form) {
  for (std::size_t i = 0; i < instruction_.traits.size(); ++i) {
    const front::TraitDecl& clause = instruction_.traits[i];
    Evaluator names(scope_, bound, form.form_name, mentioned_);
    if (clause.when && !names.decide(*clause.when)) continue;
    ++having_[i];
    for (const auto& word : clause.words) form.traits.push_back(word.text);
  }
}

void Traits::report_useless(front::Diagnostics& diagnostics) const {
  for (std::size_t i = 0; i < having_.size(); ++i) {
    const front::TraitDecl& clause = instruction_.traits[i];
    for (const auto& word : clause.words)
      if (std::ranges::find(ir::traits, word.text) == std::end(ir::traits))
        diagnostics.error(
            word.at, fmt::format("{} is no trait; traits are {}", word.text, fmt::join(ir::traits, ", ")));
    if (having_[i] == 0) diagnostics.error(clause.at, "this trait speaks of no form");
  }
}

}  // namespace semcc::check
