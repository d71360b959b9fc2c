// Results that are NaN are rare: what becomes of them need not stand where the result is computed.
#pragma once
#include <llvm/IR/Function.h>

#include <optional>
#include <vector>

namespace wedjat::compile {

/// How one sum, product, quotient or root of doubles chooses among NaNs. Of its operands' the first one, made
/// quiet; where no operand is one, and the result is, what processors make then.
struct ChosenNans {
  llvm::Function* plain = nullptr;  ///< does what the lane function does where the result is no NaN
  std::vector<unsigned> operands;   ///< the first one first: Step::row index
};

inline constexpr std::uint64_t quiet_nan_bit = 0x0008000000000000;
inline constexpr std::uint64_t made_nan = 0xfff8000000000000;  ///< by a processor, of operands that are none

/// Nothing if the lane function does anything else.
std::optional<ChosenNans> chosen_nans(llvm::Function& lane);

}  // namespace wedjat::compile
