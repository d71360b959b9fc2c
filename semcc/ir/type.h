// Value types of the checked intermediate form: every width is a number by the time these exist.
#pragma once
#include <gmpxx.h>

#include <string>

namespace semcc::ir {

// How an operand or value is viewed. PTX registers are untyped bits; the instruction's type is the view.
enum class Kind {
  Integer,  // exact integer; for operands `sign` and `width` give the register view (u32, s64, b16 …)
  Float,    // a float format, held as its bit pattern
  Pred,     // one bit per lane
  Real,     // an exact real: only between exact() and round(), never stored
  None,     // no value (a statement)
};

enum class Format { None, e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0, f16, bf16, tf32, f32, f64 };

const char* format_name(Format format);  // "f32"; empty for None

struct Type {
  Kind kind = Kind::None;
  bool is_signed = false;  // Integer operands: the signed view
  bool is_bits = false;    // written b16, b32 …: an unsigned view without arithmetic meaning
  unsigned width = 0;  // bits of one part: 8..128 (Pred: 1). Integer expressions that have no view of their
                       // own (a + b): 0; slices and concatenations: any width, as bits
  unsigned parts = 1;  // packed parts in one register: f16x2 is {Float, f16, 16, parts 2}
  Format format = Format::None;  // Float only

  std::string name() const;  // "s32", "f16x2", "pred", "real"
  unsigned bits() const { return width * parts; }
  bool operator==(const Type&) const = default;
};

// Every Integer expression carries the closed interval it provably lies in; emitters pick the machine width
// from it.
struct Interval {
  mpz_class low, high;
  unsigned bits() const;  // two's complement bits needed (sign bit only if low < 0)
  bool needs_sign() const { return low < 0; }
  bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
};

Interval range_of(const Type& type);  // of one part

}  // namespace semcc::ir
