// Operators of constant expressions (PTX ISA 4.5.3 to 4.5.6).
#include "emulator/ptx/declarations/constant.h"

#include <array>
#include <bit>
#include <functional>
#include <utility>

namespace wedjat::ptx {
namespace {

using Kind = Constant::Kind;

struct Precedence {
  std::string_view operation;
  int level;
};
constexpr std::array<Precedence, 18> kPrecedence{{{"*", 10},
                                                  {"/", 10},
                                                  {"%", 10},
                                                  {"+", 9},
                                                  {"-", 9},
                                                  {"<<", 8},
                                                  {">>", 8},
                                                  {"<", 7},
                                                  {">", 7},
                                                  {"<=", 7},
                                                  {">=", 7},
                                                  {"==", 6},
                                                  {"!=", 6},
                                                  {"&", 5},
                                                  {"^", 4},
                                                  {"|", 3},
                                                  {"&&", 2},
                                                  {"||", 1}}};

/// Whether a comparison operator holds; empty if operation is none.
template <class T>
std::optional<bool> compare(std::string_view operation, T a, T b) {
  if (operation == "<") return a < b;
  if (operation == ">") return a > b;
  if (operation == "<=") return a <= b;
  if (operation == ">=") return a >= b;
  if (operation == "==") return a == b;
  if (operation == "!=") return a != b;
  return std::nullopt;
}

Outcome apply_to_floats(std::string_view operation, Constant& left, double b) {
  const double a = left.as_double();
  if (const auto holds = compare(operation, a, b)) {
    left = Constant::of_signed(*holds);
  } else if (operation == "+") {
    left = Constant::of_double(a + b);
  } else if (operation == "-") {
    left = Constant::of_double(a - b);
  } else if (operation == "*") {
    left = Constant::of_double(a * b);
  } else if (operation == "/") {
    left = Constant::of_double(a / b);
  } else {
    return Outcome::type_mismatch;
  }
  return Outcome::fine;
}

Outcome divide(bool as_signed, Constant& left, std::uint64_t b) {
  if (b == 0) return Outcome::division_by_zero;
  const std::uint64_t a = left.bits;
  if (!as_signed) {
    left = {Kind::u64, a / b};
  } else if (b == ~std::uint64_t{0}) {
    left = {Kind::s64, 0 - a};  // the one signed quotient that overflows wraps
  } else {
    left = Constant::of_signed(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
  }
  return Outcome::fine;
}

Outcome apply_to_integers(std::string_view operation, Constant& left, const Constant& right) {
  const std::uint64_t a = left.bits, b = right.bits;
  const bool as_signed = left.kind == Kind::s64 && right.kind == Kind::s64;
  const auto holds = as_signed
                         ? compare(operation, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))
                         : compare(operation, a, b);
  const Kind kind = as_signed ? Kind::s64 : Kind::u64;
  if (holds) {
    left = Constant::of_signed(*holds);
  } else if (operation == "/") {
    return divide(as_signed, left, b);
  } else if (operation == "%") {
    if (b == 0) return Outcome::division_by_zero;
    left = {Kind::u64, a % b};
  } else if (operation == "<<") {
    left.bits = a << (b & 63);
  } else if (operation == ">>") {
    left.bits = left.kind == Kind::s64 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (b & 63))
                                       : a >> (b & 63);
  } else if (operation == "&&") {
    left = Constant::of_signed(a != 0 && b != 0);
  } else if (operation == "||") {
    left = Constant::of_signed(a != 0 || b != 0);
  } else {
    std::uint64_t bits = 0;
    switch (operation.front()) {
      case '+':
        bits = a + b;
        break;
      case '-':
        bits = a - b;
        break;
      case '*':
        bits = a * b;
        break;
      case '&':
        bits = a & b;
        break;
      case '^':
        bits = a ^ b;
        break;
      default:
        bits = a | b;
        break;
    }
    left = {kind, bits};
  }
  return Outcome::fine;
}

}  // namespace

Constant Constant::of_double(double value) { return {Kind::f64, std::bit_cast<std::uint64_t>(value)}; }
double Constant::as_double() const { return std::bit_cast<double>(bits); }

Outcome apply_prefix(char operation, Constant& value) {
  if (value.kind == Kind::f64 && operation == '-') {
    value.bits ^= std::uint64_t{1} << 63;
  } else if (!value.is_integer()) {
    return value.kind == Kind::f64 && operation == '+' ? Outcome::fine : Outcome::type_mismatch;
  } else if (operation == '-') {
    value.bits = 0 - value.bits;
  } else if (operation == '~') {
    value = {Kind::u64, ~value.bits};
  } else if (operation == '!') {
    value = Constant::of_signed(value.bits == 0);
  }
  return Outcome::fine;
}

Outcome apply(std::string_view operation, Constant& left, const Constant& right) {
  if (left.is_integer() && right.is_integer()) return apply_to_integers(operation, left, right);
  if (left.kind == Kind::f64 && right.kind == Kind::f64)
    return apply_to_floats(operation, left, right.as_double());
  return Outcome::type_mismatch;
}

int precedence_of(std::string_view operation) {
  for (const Precedence& row : kPrecedence)
    if (row.operation == operation) return row.level;
  return 0;
}

}  // namespace wedjat::ptx
