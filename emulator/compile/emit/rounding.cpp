#include "emulator/compile/emit/rounding.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <optional>

#include "emulator/compile/emit/value.h"

namespace wedjat::compile {

namespace {

using llvm::Intrinsic::ID;

// Of 512 bits of floats or of doubles.
std::optional<ID> instruction_of(ID operation, bool is_double) {
  using namespace llvm::Intrinsic;
  switch (operation) {
    case experimental_constrained_fadd:
      return is_double ? x86_avx512_add_pd_512 : x86_avx512_add_ps_512;
    case experimental_constrained_fsub:
      return is_double ? x86_avx512_sub_pd_512 : x86_avx512_sub_ps_512;
    case experimental_constrained_fmul:
      return is_double ? x86_avx512_mul_pd_512 : x86_avx512_mul_ps_512;
    case experimental_constrained_fdiv:
      return is_double ? x86_avx512_div_pd_512 : x86_avx512_div_ps_512;
    case experimental_constrained_fma:
      return is_double ? x86_avx512_vfmadd_pd_512 : x86_avx512_vfmadd_ps_512;
    case experimental_constrained_sqrt:
      return is_double ? x86_avx512_sqrt_pd_512 : x86_avx512_sqrt_ps_512;
    default:
      return std::nullopt;
  }
}

// As the instructions number it, without exceptions; absent: none of theirs.
std::optional<unsigned> number_of(const llvm::ConstrainedFPIntrinsic& call) {
  switch (call.getRoundingMode().value_or(llvm::RoundingMode::Dynamic)) {
    case llvm::RoundingMode::NearestTiesToEven:
      return 8;
    case llvm::RoundingMode::TowardNegative:
      return 9;
    case llvm::RoundingMode::TowardPositive:
      return 10;
    case llvm::RoundingMode::TowardZero:
      return 11;
    default:
      return std::nullopt;
  }
}

// However it rounds.
bool is_exact(const llvm::ConstrainedFPIntrinsic& call) {
  return llvm::isa<llvm::ConstrainedFPCmpIntrinsic>(call) ||
         call.getIntrinsicID() == llvm::Intrinsic::experimental_constrained_fpext;
}

bool narrows(const llvm::ConstrainedFPIntrinsic& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::experimental_constrained_fptrunc &&
         call.getType()->isFloatTy() && call.getArgOperand(0)->getType()->isDoubleTy();
}

}  // namespace

bool can_round(const llvm::ConstrainedFPIntrinsic& call) {
  if (is_exact(call)) return true;
  if (!number_of(call)) return false;
  if (narrows(call)) return true;
  const llvm::Type* const type = call.getType();
  return (type->isFloatTy() || type->isDoubleTy()) &&
         instruction_of(call.getIntrinsicID(), type->isDoubleTy()).has_value();
}

llvm::Value* round_all(llvm::IRBuilder<>& builder, const llvm::ConstrainedFPIntrinsic& call,
                       llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Type* const type = call.getType();
  if (const auto* compare = llvm::dyn_cast<llvm::ConstrainedFPCmpIntrinsic>(&call))
    return builder.CreateFCmp(compare->getPredicate(), arguments[0], arguments[1]);
  if (is_exact(call)) return builder.CreateFPExt(arguments.front(), Values::wide(type));
  const bool is_double = call.getArgOperand(0)->getType()->isDoubleTy();
  const unsigned count = is_double ? 8 : 16;
  llvm::Value* const mode = builder.getInt32(*number_of(call));
  llvm::SmallVector<llvm::Value*, 4> parts;
  for (unsigned first = 0; first < warp_lanes; first += count) {
    llvm::SmallVector<int, 16> lanes;
    for (unsigned lane = first; lane < first + count; ++lane) lanes.push_back(static_cast<int>(lane));
    llvm::SmallVector<llvm::Value*, 4> given;
    for (llvm::Value* argument : arguments) given.push_back(builder.CreateShuffleVector(argument, lanes));
    if (narrows(call)) {
      auto* const narrow = llvm::FixedVectorType::get(type, count);
      parts.push_back(builder.CreateIntrinsic(
          llvm::Intrinsic::x86_avx512_mask_cvtpd2ps_512, {},
          {given.front(), llvm::Constant::getNullValue(narrow), builder.getInt8(0xff), mode}));
      continue;
    }
    given.push_back(mode);
    parts.push_back(builder.CreateIntrinsic(*instruction_of(call.getIntrinsicID(), is_double), {}, given));
  }
  // Together again.
  while (parts.size() > 1) {
    const auto half = parts.size() / 2;
    const auto size = llvm::cast<llvm::FixedVectorType>(parts.front()->getType())->getNumElements();
    llvm::SmallVector<int, warp_lanes> both;
    for (unsigned lane = 0; lane < 2 * size; ++lane) both.push_back(static_cast<int>(lane));
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = builder.CreateShuffleVector(parts[2 * i], parts[2 * i + 1], both);
    parts.resize(half);
  }
  return parts.front();
}

}  // namespace wedjat::compile
