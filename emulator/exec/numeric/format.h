// IEEE-like float formats held as bit patterns, and their exact way into host floats.
#pragma once
#include <bit>

#include "emulator/exec/numeric/types.h"

// Where the processor turns f16 into f32 and back. Compilers make no vectors of it in executors, so those
// need a processor that computes in f16; lane functions are for processors that convert
// (compile/lanes/lane_library.h).
#if defined(__AVX512FP16__)
#define WEDJAT_HALF _Float16
#elif defined(WEDJAT_LANE_FUNCTIONS)
#define WEDJAT_HALF __fp16
#endif

namespace wedjat::exec::numeric {

template <int exponent_bits_, int fraction_bits_, class Bits_>
struct FloatFormat {
  using Bits = Bits_;
  static constexpr int exponent_bits = exponent_bits_, fraction_bits = fraction_bits_;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr Bits sign = Bits(Bits(1) << (exponent_bits + fraction_bits));
  static constexpr Bits magnitude = Bits(sign - 1);
  static constexpr Bits fraction = Bits((Bits(1) << fraction_bits) - 1);
  static constexpr Bits infinity = Bits(magnitude & ~fraction);  // also the mask of the exponent
  static constexpr Bits one = Bits(Bits(bias) << fraction_bits);
  static constexpr Bits canonical_nan = magnitude;  // PTX: sign 0, all ones
};

struct f16 : FloatFormat<5, 10, u16> {
  static float real(u16 x) {
#ifdef WEDJAT_HALF
    return static_cast<float>(__builtin_bit_cast(WEDJAT_HALF, x));
#else
    return shifted(x);
#endif
  }
  // Without the processor's help.
  static float shifted(u16 x) {
    const u32 magnitude_ = x & magnitude;
    const u32 finite = (magnitude_ << 13) + (112u << 23);
    const u32 special = (magnitude_ << 13) | 0x7f800000u;
    const u32 subnormal = std::bit_cast<u32>(static_cast<float>(static_cast<s32>(magnitude_)) * 0x1p-24f);
    const u32 normal = magnitude_ >= infinity ? special : finite;
    return std::bit_cast<float>((magnitude_ < 0x400u ? subnormal : normal) | (u32(x) & sign) << 16);
  }
};

struct bf16 : FloatFormat<8, 7, u16> {
  static float real(u16 x) { return std::bit_cast<float>(u32(x) << 16); }
};

// tf32 is the upper 19 bits of an f32.
struct f32 : FloatFormat<8, 23, u32> {
  static float real(u32 x) { return std::bit_cast<float>(x); }
  static u32 of(float x) { return std::bit_cast<u32>(x); }
};

struct f64 : FloatFormat<11, 52, u64> {
  // PTX gives f64 NaNs no canonical payload; this is what the instructions that make one from nothing
  // produce.
  static constexpr u64 canonical_nan = 0x7ff8000000000000u;
  static double real(u64 x) { return std::bit_cast<double>(x); }
  static u64 of(double x) { return std::bit_cast<u64>(x); }
};

}  // namespace wedjat::exec::numeric
