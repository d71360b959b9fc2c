// Constant expressions of the grammar -> constants; and what an operand or initial value may be instead.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/ptx/declarations/constant.h"
#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {

class Expressions {
 public:
  explicit Expressions(const Source& source) : source_(source) {}

  /// Throws Error at the part that is no constant.
  Constant evaluate(const Grammar::ExpressionContext& expression) const;
  /// For `symbol + rest`: the value of what stands after the first operator.
  std::int64_t offset_after_first(const Grammar::ExpressionContext& expression) const;
  Constant literal(const antlr4::Token* number) const;
  /// An unsigned integer of a directive.
  std::uint64_t number(const antlr4::Token* number, std::uint64_t max = ~std::uint64_t{0}) const;

  /// The single term of an expression without operators, else nullptr.
  static const Grammar::TermContext* single_term(const Grammar::ExpressionContext& expression);
  /// Whether an expression begins `name` or `name +` and so means a place and not a number.
  bool is_symbolic(const Grammar::ExpressionContext& expression) const;

 private:
  Constant term(const Grammar::TermContext& term) const;
  Constant cast(const Grammar::TermContext& term) const;
  Constant climb(const Grammar::ExpressionContext& expression, std::size_t& at, int least) const;
  void check(Outcome outcome, const antlr4::Token* where) const;
  std::string_view text(const antlr4::Token* token) const { return text_of(source_, token); }

  const Source& source_;
};

}  // namespace wedjat::ptx
