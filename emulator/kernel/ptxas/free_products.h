// Products that ptxas computes anew wherever they are needed, because one factor costs no register:
// contraction finds them in any block.
#pragma once
#include <cstdint>
#include <vector>

#include "emulator/kernel/draft/draft.h"
#include "emulator/kernel/draft/live_values.h"
#include "emulator/kernel/ptxas/contraction_rules.h"

namespace wedjat::kernel {

/// How often each value is written, and by which step last.
struct Writers {
  Writers(const Draft& draft, const std::vector<std::uint32_t>& blocks);
  bool once(ValueId value) const { return count[value] == 1; }

  std::vector<std::uint32_t> count, step;  ///< by value
};

/// By value: a literal, or what ptxas computes from literals.
std::vector<bool> find_literals(const Draft& draft, const ContractionRules& rules, const Writers& writers);

/// Whether the step is a product of a literal (computed from literals, too), a kernel parameter or a .const
/// variable, whose result is written nowhere else.
bool is_free_product(const Draft& draft, const DraftStep& step, const std::vector<bool>& literals,
                     const Writers& writers, const LiveValues& live);

}  // namespace wedjat::kernel
