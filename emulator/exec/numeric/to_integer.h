// Float to integer: rounded to an integral value, then clamped into the type. NaN gives 0; bodies choose what
// PTX wants instead.
#pragma once
#include <limits>
#include <type_traits>

#include "emulator/exec/numeric/format.h"

namespace wedjat::exec::numeric {

enum class IntegralMode { rni, rzi, rmi, rpi };

template <IntegralMode mode>
float integral(float x) {
  if constexpr (mode == IntegralMode::rni) return __builtin_rintf(x);
  if constexpr (mode == IntegralMode::rzi) return __builtin_truncf(x);
  if constexpr (mode == IntegralMode::rmi) return __builtin_floorf(x);
  return __builtin_ceilf(x);
}
template <IntegralMode mode>
double integral(double x) {
  if constexpr (mode == IntegralMode::rni) return __builtin_rint(x);
  if constexpr (mode == IntegralMode::rzi) return __builtin_trunc(x);
  if constexpr (mode == IntegralMode::rmi) return __builtin_floor(x);
  return __builtin_ceil(x);
}

// I: u8 … s64. R: float or double, already integral.
template <class I, class R>
I clamp_to(R whole) {
  // 2^digits is exact in R where the greatest I itself may not be.
  constexpr R beyond = R(std::numeric_limits<I>::max() / 2 + 1) * R(2);
  constexpr R least = R(std::numeric_limits<I>::min());
  const bool inside = whole >= least && whole < beyond;
  using Wide = std::conditional_t<(sizeof(I) < 4), s32, I>;
  const I value = static_cast<I>(static_cast<Wide>(inside ? whole : R(0)));
  const I bounded = whole >= beyond ? std::numeric_limits<I>::max() : value;
  return whole < least ? std::numeric_limits<I>::min() : bounded;
}

}  // namespace wedjat::exec::numeric
