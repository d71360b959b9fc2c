#include "emulator/kernel/ptxas/contraction.h"

#include <algorithm>

#include "emulator/kernel/ptxas/constant_factors.h"
#include "emulator/kernel/ptxas/fusion.h"
#include "emulator/kernel/ptxas/literals.h"
#include "emulator/kernel/ptxas/products.h"
#include "emulator/kernel/ptxas/unrolling.h"

namespace wedjat::kernel {
namespace {

// Products with one use choose first; of two that may, the one with fewer uses, else the first summand.
class Choice {
 public:
  explicit Choice(Products& found)
      : found_(found), chosen_(found.sums.size()), fused_(found.products.size()) {}

  void run(Fusion& fusion) {
    for (const bool single : {true, false}) {
      for (std::size_t i = 0; i < found_.sums.size(); ++i) {
        if (!chosen_[i]) choose(i, single, fusion);
      }
    }
    for (std::size_t p = 0; p < found_.products.size(); ++p) {
      const Product& product = found_.products[p];
      if (product.uses > 0 && fused_[p] == product.uses) fusion.drop(product);
    }
  }

 private:
  void choose(std::size_t i, bool single, Fusion& fusion) {
    const Sum& sum = found_.sums[i];
    int best = -1;
    for (int s = 0; s < 2; ++s) {
      if (!sum.summands[s]) continue;
      const Product& product = found_.products[sum.summands[s]->product];
      if (!product.contractible || (product.uses == 1) != single) continue;
      if (best < 0 || product.uses < found_.products[sum.summands[best]->product].uses) best = s;
    }
    if (best < 0) return;
    chosen_[i] = true;
    ++fused_[sum.summands[best]->product];
    fusion.fuse(sum, static_cast<unsigned>(best), found_.products[sum.summands[best]->product]);
    if (const auto& other = sum.summands[1 - best]) found_.products[other->product].contractible = false;
  }

  Products& found_;
  std::vector<bool> chosen_;          // by sum
  std::vector<std::uint32_t> fused_;  // by product: how many of its uses
};

}  // namespace

void contract(Draft& draft, Contract how, const ContractionRules& rules, const FormTable& table) {
  fold_literals(draft, rules, table);
  if (how == Contract::ptxas) mark_unrolled_loops(draft, rules);
  const auto is_product = [&](const DraftStep& step) {
    return rules.kind(step.form) == ContractionRules::Kind::product;
  };
  if (std::ranges::none_of(draft.steps, is_product)) return;
  if (how == Contract::ptxas) unroll_carrying_loops(draft, rules, table);
  rewrite_constant_factors(draft, how, rules, table);
  if (how != Contract::ptxas) return;
  Products found = find_products(draft, rules);
  if (found.sums.empty()) return;
  Fusion fusion(draft, rules, table);
  Choice(found).run(fusion);
  fusion.apply();
}

}  // namespace wedjat::kernel
