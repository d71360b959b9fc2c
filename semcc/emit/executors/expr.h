// Writes expressions of the checked form as C++ that computes one lane's value.
//
// Integers are exact: `exact` gives a word that holds the value, `modulo` an unsigned word congruent to it. A
// wrapped or sliced sum needs only its low bits, so `wrap.u32(a + b)` stays 32-bit arithmetic although a + b
// has 33 bits.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "semcc/emit/executors/machine.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

struct Code {
  std::string text;  // a primary expression
  Machine machine;   // of an integer; floats are their pattern in an unsigned word of their width, truth
                     // values are bool
  std::string pattern =
      {};  // the value's bits as an unsigned primary expression of `pattern_width` bits, if there is one
  unsigned pattern_width = 0;
};

// Before a loop over lanes that is to become vector instructions. Truth values of all lanes at once need no
// putting together.
inline const char* vectorised(bool truths) {
  return truths ? "#pragma clang loop vectorize(assume_safety) vectorize_width(32) unroll(disable)"
                : "#pragma clang loop vectorize(assume_safety) unroll(disable)";
}

// `text` of type `from`, seen as `to`.
Code seen_as(const std::string& text, Machine from, Machine to);

class ExprWriter {
 public:
  explicit ExprWriter(const ir::Form& form) : form_(form) {}

  // Statements that must precede the expressions asked for since; `begin` forgets what earlier ones computed.
  void begin(const std::vector<const ir::Stmt*>& statements);
  std::vector<std::string> take_lines();

  std::string value(const ir::ExprPtr& expr);    // in the C++ type of stored_type
  std::string pred(const ir::ExprPtr& expr);     // bool
  std::string pattern(const ir::ExprPtr& expr);  // float: its bits
  std::string address(const ir::ExprPtr& expr);  // u64
  std::string bits_of(const ir::ExprPtr& expr,
                      unsigned width);  // any kind but Pred, as an unsigned word of 8 … 128 bits

  void name_local(int local, Code code) { locals_[local] = std::move(code); }
  // C++ type in which a local is kept: "s32", "u16" (pattern), "bool".
  std::string stored_type(const ir::Local& local) const;

  // The row pointer's or predicate word's name; remembers that it is needed.
  std::string row(int operand, int element);
  std::string element_type(int operand) const;  // "u16": of one row element
  std::string row_type(int operand) const;      // "const u16*", "u16*" of a result
  int row_index(int operand, int element) const;
  std::string element(const ir::Expr& expr);  // of a matrix: where it is stored
  std::string place(const ir::Expr& expr);    // its index there

  // What the function must declare before its first statement.
  std::set<std::pair<int, int>> rows;  // operand, element
  std::set<std::string> specials, tables;
  bool reads_carry = false;
  bool wide = false;    // since begin(): uses 128-bit words, which have no vector form
  bool nested = false;  // since begin(): has a loop over lanes inside

 private:
  Code exact(const ir::Expr& expr);
  Code exact_operation(const ir::Expr& expr);
  std::string modulo(const ir::Expr& expr, unsigned width);
  std::string modulo_operation(const ir::Expr& expr, unsigned width);
  std::string convert(const Code& code, Machine machine);
  std::string in_common(const char* format, const ir::Expr& expr);
  Code wrapped(const ir::Expr& arg, unsigned width, bool is_signed);
  Code slice(const ir::Expr& expr);
  Code division(const ir::Expr& expr);
  Code clamped(const ir::Expr& expr);
  std::string pred_operation(const ir::Expr& expr);
  std::string pattern_operation(const ir::Expr& expr);
  std::string rounded(const ir::Expr& expr);
  std::string narrow_arithmetic(const ir::Expr& expr);
  std::string real(const ir::Expr& expr, bool as_double);
  std::string real_to_odd(const ir::Expr& expr, ir::Rounding rounding);
  std::string operand_word(const ir::Expr& expr);
  std::string over_lanes(const ir::Expr& expr);
  Code shared(const ir::Expr& expr, const std::string& how, const std::function<Code()>& make);

  struct Scope {
    std::vector<std::string> lines;
    std::map<std::pair<const ir::Expr*, std::string>, Code> known;  // and what was asked of it
    std::map<std::string, std::string> words;                       // operand reads
  };
  std::string temporary(const std::string& type, const std::string& text);

  const ir::Form& form_;
  std::map<int, Code> locals_;
  std::vector<Scope> scopes_{1};
  std::map<const ir::Expr*, int> uses_;
  int temporaries_ = 0;
};

// The one host rounding mode the body's f32 and f64 arithmetic needs; None: round to nearest or none at all.
// Throws Error on a mixture.
ir::Rounding host_rounding(const ir::Form& form);
std::string format_name(ir::Format format, ir::Location at);

}  // namespace semcc::emit
