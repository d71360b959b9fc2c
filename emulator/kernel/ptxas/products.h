// Unmarked products of a function, and the sums that use them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

struct Product {
  std::uint32_t step = 0;
  std::uint32_t uses = 0;              ///< by live steps
  bool contractible = true;            ///< every use is a summand of a sum that fits, near enough
  std::vector<std::uint32_t> between;  ///< moves, negations and magnitudes of its value
};

/// A summand that is a product, perhaps negated on the way.
struct Summand {
  std::uint32_t product = 0;
  bool negated = false;
  bool magnitude = false;                ///< of a square: the same, but it may not be negated any more
  std::array<bool, 2> overwritten = {};  ///< by factor: it may hold something else by now
};

struct Sum {
  std::uint32_t step = 0;
  std::array<std::optional<Summand>, 2> summands;  ///< those that are products
};

struct Products {
  std::vector<Product> products;
  std::vector<Sum> sums;  ///< in program order, each with one product at least
};

Products find_products(const Draft& draft, const ContractionRules& rules);

}  // namespace wedjat::kernel
