// One operation on numbers of a narrow format, rounded once to nearest.
//
// A sum or product formed in f32 and rounded again is as if rounded once: f32 has 2p + 2 bits or more where
// f16 and bf16 have p, and what lies below its least number is below half of theirs. A fused sum needs more
// and goes through odd.h. A processor that has f16 arithmetic does it itself.
#pragma once
#include "emulator/exec/numeric/narrow.h"
#include "emulator/exec/numeric/odd.h"

namespace wedjat::exec::numeric {

template <class F>
struct InFloat {
  using Bits = typename F::Bits;
  static Bits rounded(float real) { return narrow<F, Mode::rn>(real); }
  static Bits sum(Bits a, Bits b) { return rounded(F::real(a) + F::real(b)); }
  static Bits difference(Bits a, Bits b) { return rounded(F::real(a) - F::real(b)); }
  static Bits product(Bits a, Bits b) { return rounded(F::real(a) * F::real(b)); }
  [[gnu::always_inline]] static Bits fused(Bits a, Bits b, Bits c) {
    // Products of f16 are exact in f32; those of bf16 may pass its range.
    using Real = std::conditional_t<F::exponent_bits == 5, float, double>;
    return rounded(odd::to_float(odd::fused(Real(F::real(a)), Real(F::real(b)), Real(F::real(c)))));
  }
};

#ifdef __AVX512FP16__
struct InHalf {
  using Bits = u16;
  static _Float16 real(Bits x) { return std::bit_cast<_Float16>(x); }
  static Bits bits(_Float16 x) { return canonical<f16>(std::bit_cast<Bits>(x)); }
  static Bits sum(Bits a, Bits b) { return bits(real(a) + real(b)); }
  static Bits difference(Bits a, Bits b) { return bits(real(a) - real(b)); }
  static Bits product(Bits a, Bits b) { return bits(real(a) * real(b)); }
  static Bits fused(Bits a, Bits b, Bits c) { return bits(__builtin_fmaf16(real(a), real(b), real(c))); }
};
template <class F>
using Arithmetic = std::conditional_t<std::is_same_v<F, f16>, InHalf, InFloat<F>>;
#else
template <class F>
using Arithmetic = InFloat<F>;
#endif

template <class F>
Bits<F> sum(Bits<F> a, Bits<F> b) {
  return Arithmetic<F>::sum(a, b);
}
template <class F>
Bits<F> difference(Bits<F> a, Bits<F> b) {
  return Arithmetic<F>::difference(a, b);
}
template <class F>
Bits<F> product(Bits<F> a, Bits<F> b) {
  return Arithmetic<F>::product(a, b);
}
// The longest: compilers would rather call it, and that for each lane.
template <class F>
[[gnu::always_inline]] inline Bits<F> fused(Bits<F> a, Bits<F> b, Bits<F> c) {
  return Arithmetic<F>::fused(a, b, c);
}

}  // namespace wedjat::exec::numeric
