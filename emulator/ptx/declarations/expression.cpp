#include "emulator/ptx/declarations/expression.h"

#include <string>

namespace wedjat::ptx {
namespace {

constexpr std::int64_t kWarpSize = 32;

}  // namespace

const Grammar::TermContext* Expressions::single_term(const Grammar::ExpressionContext& expression) {
  return expression.operators.empty() && expression.ternary == nullptr ? expression.terms.front() : nullptr;
}

bool Expressions::is_symbolic(const Grammar::ExpressionContext& expression) const {
  const Grammar::TermContext& first = *expression.terms.front();
  return first.name != nullptr && first.prefixes.empty() && text(first.name) != "WARP_SZ";
}

void Expressions::check(Outcome outcome, const antlr4::Token* where) const {
  if (outcome == Outcome::type_mismatch)
    source_.fail(offset_of(where),
                 "operator " + std::string(text(where)) + " does not take constants of these types");
  if (outcome == Outcome::division_by_zero) source_.fail(offset_of(where), "division by zero");
}

Constant Expressions::literal(const antlr4::Token* number) const {
  const auto value = parse_literal(text(number));
  if (!value)
    source_.fail(offset_of(number), "'" + std::string(text(number)) + "' is no number of at most 64 bits");
  return *value;
}

std::uint64_t Expressions::number(const antlr4::Token* number, std::uint64_t max) const {
  const auto value = parse_unsigned(text(number), max);
  if (!value)
    source_.fail(offset_of(number),
                 "'" + std::string(text(number)) + "' is no integer from 0 to " + std::to_string(max));
  return *value;
}

Constant Expressions::evaluate(const Grammar::ExpressionContext& expression) const {
  std::size_t at = 0;
  const Constant value = climb(expression, at, 1);
  if (expression.ternary == nullptr) return value;
  if (!value.is_integer()) source_.fail(offset_of(expression.ternary), "the condition of ?: is no integer");
  const Constant then = evaluate(*expression.then), otherwise = evaluate(*expression.otherwise);
  if (then.is_integer() != otherwise.is_integer())
    source_.fail(offset_of(expression.ternary), "the two values of ?: have different types");
  return value.bits != 0 ? then : otherwise;
}

std::int64_t Expressions::offset_after_first(const Grammar::ExpressionContext& expression) const {
  if (expression.operators.empty()) return 0;
  const antlr4::Token* const first = expression.operators.front();
  if (text(first) != "+" || expression.ternary != nullptr)
    source_.fail(offset_of(first),
                 "only '+' and a constant may follow a name or register (write a+-4 for a-4)");
  std::size_t at = 1;
  const Constant offset = climb(expression, at, 1);
  if (!offset.is_integer()) source_.fail(offset_of(first), "an offset is an integer");
  return static_cast<std::int64_t>(offset.bits);
}

/// Precedence climbing over terms at, at+1, ... while operators bind at least as tight as least.
Constant Expressions::climb(const Grammar::ExpressionContext& expression, std::size_t& at, int least) const {
  Constant left = term(*expression.terms[at]);
  while (at < expression.operators.size()) {
    const antlr4::Token* const operation = expression.operators[at];
    const int level = precedence_of(text(operation));
    if (level < least) break;
    ++at;
    const Constant right = climb(expression, at, level + 1);
    check(apply(text(operation), left, right), operation);
  }
  return left;
}

Constant Expressions::cast(const Grammar::TermContext& term_) const {
  const std::string_view type = text(term_.cast);
  if (type != ".s64" && type != ".u64") source_.fail(offset_of(term_.cast), "a cast is (.s64) or (.u64)");
  Constant value = term(*term_.operand_);
  if (!value.is_integer()) source_.fail(offset_of(term_.cast), "only integers can be cast");
  value.kind = type == ".s64" ? Constant::Kind::s64 : Constant::Kind::u64;
  return value;
}

Constant Expressions::term(const Grammar::TermContext& term) const {
  Constant value;
  if (term.number != nullptr) {
    if (term.argument != nullptr)
      source_.fail(offset_of(term.number), "mask(...) is for initial values only");
    value = literal(term.number);
  } else if (term.inner != nullptr) {
    value = evaluate(*term.inner);
  } else if (term.cast != nullptr) {
    value = cast(term);
  } else {
    if (text(term.name) != "WARP_SZ" || term.component || term.index || term.argument)
      source_.fail(offset_of(term.name), "'" + std::string(text(term.name)) + "' is no constant");
    value = Constant::of_signed(kWarpSize);
  }
  for (std::size_t i = term.prefixes.size(); i-- > 0;)
    check(apply_prefix(text(term.prefixes[i]).front(), value), term.prefixes[i]);
  return value;
}

}  // namespace wedjat::ptx
