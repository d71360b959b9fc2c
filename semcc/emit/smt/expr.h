// Expressions as SMT-LIB terms.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::emit {

// An expression SMT-LIB has no term for.
struct NoTerm : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// How values are held: Pred as Bool, Float as the bits of its pattern, Integer as a signed bit vector wide
// enough for its interval, so nothing overflows.
class SmtTerms {
 public:
  // `operands` are the terms of the form's operands, `locals` those of its locals (empty: not known).
  SmtTerms(std::vector<std::string> operands, std::vector<std::string> locals, const ir::Form* form)
      : operands_(std::move(operands)), locals_(std::move(locals)), form_(form) {}

  std::string term(const ir::ExprPtr& expr);  // throws NoTerm; may name parts: see around
  // `result` with the parts that terms so far have named. Shared parts stay shared.
  std::string around(const std::string& result) const;
  void set_local(std::size_t index, std::string term) { locals_.at(index) = std::move(term); }

  // Constants that stand for what is unspecified: name -> sort.
  const std::map<std::string, std::string>& free() const { return free_; }

  static unsigned width(const ir::Expr& expr);  // of the bit vector of an Integer or Float
  static std::string sort(const ir::Expr& expr);

 private:
  std::string operation(const ir::Expr& expr);
  std::string operand(const ir::Expr& expr);
  std::string integer(const ir::Expr& expr);
  std::string clamp(const ir::Expr& expr);
  std::string truth(const ir::Expr& expr);
  std::string floating(const ir::Expr& expr);
  std::string real(const ir::Expr& expr, ir::Format format, ir::Rounding rounding);
  std::string at_width(const ir::ExprPtr& expr, unsigned width);  // an Integer, sign-extended

  std::map<const ir::Expr*, std::string> known_;
  std::vector<std::pair<std::string, std::string>> named_;  // in the order of their making
  std::vector<ir::ExprPtr> kept_;  // so that no other expression gets their addresses
  std::vector<std::string> operands_, locals_;
  const ir::Form* form_;
  std::map<std::string, std::string> free_;
};

}  // namespace semcc::emit
