// One operand of an instruction (PTX ISA 6). Compound operands keep their parts in Body::operands.
#pragma once

#include <cstdint>

namespace wedjat::ptx {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// 24 bytes, trivially copyable. Which fields mean something is said beside each kind.
struct Operand {
  enum class Kind : std::uint8_t {
    none,              ///< an absent part of a call (no prototype)
    sink,              ///< `_`
    integer,           ///< value: 64 bits; is_unsigned as PTX ISA 4.5 types the expression
    float32,           ///< value: the low 32 bits are the pattern of a `0f` literal
    float64,           ///< value: the pattern of a decimal or `0d` literal or of an expression over them
    reg,               ///< index: register; component, selector; value: a number added to it
    special_register,  ///< index: Body::special_registers (spelled with its component: "%tid.x")
    variable,          ///< index: Module::variables; value: byte offset
    local_variable,    ///< index: Body::variables; value: byte offset
    parameter,         ///< index: Function::parameters; value: byte offset
    return_parameter,  ///< index: Function::returns; value: byte offset
    function,          ///< index: Module::functions
    label,             ///< index: Body::labels
    branch_targets,    ///< index: Body::branch_targets
    call_targets,      ///< index: Body::call_targets
    prototype,         ///< index: Body::prototypes
    address,           ///< `[base+offset]`: base says what index is, value the byte offset
    element,           ///< `a[2]`, `a[%r+1]`: fields as of an address, but component: bytes of what it counts
    vector,            ///< `{a,b}`: index, count
    pair,              ///< `p|q`, `{a,b}|p`: index, count = 2
    list,              ///< `(a,b)` of a call: index, count (may be 0)
    bracket_list,      ///< `[a, {x,y}, ...]`: index, count; the first part is an address
  };

  Kind kind = Kind::none;
  /// Of an address or element: reg, special_register, variable, local_variable, parameter, return_parameter,
  /// function, label, or none for `[imm]`.
  Kind base = Kind::none;
  bool negated = false;      ///< `!p`
  bool minus = false;        ///< `-a` of a register
  bool is_unsigned = false;  ///< of an integer: its type is .u64, else .s64
  /// `.x .y .z .w` (`.r .g .b .a`) of a vector register, counted from 0; kNoComponent if not written.
  std::uint8_t component = kNoComponent;
  /// `.b0`, `.h1`, `.b3210` ... of the video instructions, `[a].unified`: 1 + index into Body::selectors; 0
  /// if not written.
  std::uint16_t selector = 0;

  /// Of what kind (or base) names; of compound kinds the first part in Body::operands.
  std::uint32_t index = 0;
  union {
    /// Of compound kinds: how many parts.
    std::uint32_t count;
    /// Of an element `a[%r]`: %r, which counts values of a's type (not vectors, not rows); else of addresses
    /// kNone.
    std::uint32_t index_register;
  };
  std::int64_t value = 0;  ///< bits of an immediate, byte offset of a symbol or address

  static constexpr std::uint8_t kNoComponent = 0xff;
  constexpr Operand() : count(0) {}
  bool is_address() const { return kind == Kind::address || kind == Kind::element; }
  /// What index names.
  Kind named() const { return is_address() ? base : kind; }
  bool is_compound() const { return kind >= Kind::vector; }
  bool is_immediate() const { return kind >= Kind::integer && kind <= Kind::float64; }
};
static_assert(sizeof(Operand) == 24);

}  // namespace wedjat::ptx
