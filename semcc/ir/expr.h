// Expressions of the checked form: a typed tree without side effects. Filters, functions, compile-time
// conditions and loops are gone: they were applied, inlined, folded and unrolled by check/.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "semcc/ir/type.h"

namespace semcc::ir {

enum class Op {
  // leaves
  Constant,   // Integer `constant`; Pred 0/1; Float: `constant` is the bit pattern
  Operand,    // operand `index` of the form as its declared view; `part` selects a packed part or vector
              // element (-1: whole; of a vector of packed values: element * parts + part) in warp bodies: the
              // executing lane's value, or the lane of args[0] if there is one
  Local,      // local `index` (see Let)
  Lane,       // the executing lane's number, 0..31 (inside Ballot/Reduce: see BoundLane)
  BoundLane,  // the lane bound by the enclosing Ballot/Reduce
  ActiveMask,   // u32: the lanes executing this instruction together
  PredMask,     // u32: predicate operand `index` as one bit per lane
  Unspecified,  // any value of `type`
  State,        // named state bit of the lane ("cf"): Pred; `name`
  Special,      // machine value `name` ("cta.threads", "window.shared.base" …), type says its view

  // exact integers: never overflow; `range` bounds the result
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Neg,  // Div, Rem truncate towards zero; by zero: result 0 (write the case apart)
  Shl,
  Shr,  // Shr floors (arithmetic on negative values)
  And,
  Or,
  Xor,  // on the infinite two's complement pattern
  Not,  // -x - 1
  Min,
  Max,
  Abs,
  PopCount,
  HighestBit,  // HighestBit: -1 for zero. Argument must be non-negative
  Reverse,     // of the low `width` bits
  Table,       // `name`[args[0]]: constant table, element type u64 or narrower
  Wrap,        // into the range of `type` modulo 2^width
  Clamp,       // into the range of `type`, saturating; args[0] may be Integral
  Slice,       // bits `high`..`low` of the two's complement pattern, as an unsigned integer
  ToInteger,   // Pred to 0/1, or the bit pattern of a Float as an unsigned integer
  ToFloat,     // the low bits of an Integer as a Float of `type`
  ToPred,      // Integer != 0

  // choice and truth
  Select,  // args: Pred, then, else
  Equal,
  NotEqual,
  Less,
  LessEqual,  // two Integers, or two Preds (Equal, NotEqual only)
  LogicalAnd,
  LogicalOr,
  LogicalXor,
  LogicalNot,

  // floats
  Round,  // args[0] is Real: RealAdd … or Exact; rounded to `type` by `rounding`; NaN/inf rules of IEEE 754,
          // NaN result: see Canonical
  Exact,
  RealAdd,
  RealSub,
  RealMul,
  RealFma,
  RealDiv,
  RealSqrt,
  RealOfInteger,  // only below Round or Integral
  Integral,  // Real to an exact integer by `rounding`: directly below Clamp (NaN must be selected away by the
             // body), or directly
             // below Round: then a zero keeps the sign of the argument, and NaN and infinity pass
  Flush,     // subnormal to zero of the same sign
  Canonical,  // any NaN to the canonical NaN of `type`
  UnitClamp,  // .sat: into [+0, 1]; NaN and -0 to +0
  IsNan,
  IsInfinite,
  IsZero,
  IsSubnormal,
  IsNormal,
  SignBit,
  FloatNegate,
  FloatAbs,
  CopySign,  // bit operations. CopySign: magnitude of args[1], sign of args[0], as PTX
  FloatEqual,
  FloatLess,
  FloatLessEqual,  // ordered compares: false when either is NaN

  // memory: only directly as the value of a Let (see stmt.h)
  MemoryRead,
  MemoryUpdate,

  // matrices
  Element,     // matrix `index` at args[0] (row), args[1] (column)
  BoundIndex,  // what the statement runs over: 0 the row or the fragment's element, 1 the column (`index`)

  // warp bodies
  Ballot,  // u32: bit i = args[0] evaluated with BoundLane = i, for the active lanes i, else 0
  Reduce,  // `reduce` over active lanes of args[0]
};

enum class Rounding { None, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class ReduceOp { Add, Min, Max, And, Or, Xor };

// Where the semantics text says this.
struct Location {
  int file = -1;  // index into Program::files
  int line = 0, column = 0;
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;  // shared: inlining makes the tree a DAG

struct Expr {
  Op op;
  Type type;
  Interval range;  // Integer only
  std::vector<ExprPtr> args;
  int index = -1;  // operand or local
  int part = -1;
  mpz_class constant;
  unsigned high = 0, low = 0;  // Slice; Reverse: `high`+1 is the width
  Rounding rounding = Rounding::None;
  ReduceOp reduce = ReduceOp::Add;
  std::string name;  // State, Special, Table
  Location at;
};

}  // namespace semcc::ir
