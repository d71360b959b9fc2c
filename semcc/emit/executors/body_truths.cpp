// Bodies whose results are predicates: words with a bit for each lane. What they compare is told by a
// function that forms share, whatever predicate they combine the answer with.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "semcc/emit/executors/body_writer.h"

namespace semcc::emit {

using ir::ExprPtr;
using ir::Kind;
using ir::Op;
using ir::Stmt;

namespace {

bool is_predicate(const ir::Expr& expr) {
  return expr.op == Op::Operand && expr.args.empty() && expr.type.kind == Kind::Pred;
}

bool is_logic(const ir::Expr& expr) {
  return expr.op == Op::LogicalAnd || expr.op == Op::LogicalOr || expr.op == Op::LogicalXor ||
         expr.op == Op::LogicalNot;
}

}  // namespace

BodyWriter::Words::Words(const ir::Form& form, const Piece& piece) : statements_(piece.statements) {
  for (const Stmt* statement : statements_) {
    if (statement->what == Stmt::What::Let) {
      lets_[statement->index] = statement;
      continue;
    }
    only_predicates_ &= statement->what == Stmt::What::Assign &&
                        form.operands.at(static_cast<std::size_t>(statement->index)).type.kind == Kind::Pred;
    assigned.push_back(statement);
  }
}

// Something must be combined or two results be told at once, by one comparison: a loop for each of several
// would take longer than one loop for all.
bool BodyWriter::Words::are_worth_it() const {
  if (!only_predicates_) return false;
  std::set<std::string> truths;
  for (const Stmt* statement : assigned) find_truths(statement->value, truths);
  return truths.size() <= 1 &&
         (assigned.size() > 1 || std::any_of(assigned.begin(), assigned.end(), [&](const Stmt* statement) {
            const ExprPtr what = meant(statement->value);
            return is_predicate(*what) || combines(*what);
          }));
}

void BodyWriter::Words::find_truths(const ExprPtr& expr, std::set<std::string>& truths) const {
  const ExprPtr what = meant(expr);
  if (is_predicate(*what)) return;
  if (!combines(*what) && what->op != Op::LogicalNot) {
    truths.insert(structure(*what));
    return;
  }
  for (const ExprPtr& arg : what->args) find_truths(arg, truths);
}

// What a local stands for, if that is a combination or a negation.
ExprPtr BodyWriter::Words::meant(const ExprPtr& expr) const {
  const auto let = lets_.find(expr->index);
  if (expr->op != Op::Local || let == lets_.end()) return expr;
  const ExprPtr& value = let->second->value;
  return combines(*value) || value->op == Op::LogicalNot ? meant(value) : expr;
}

bool BodyWriter::Words::combines(const ir::Expr& expr) const {
  return is_logic(expr) && std::any_of(expr.args.begin(), expr.args.end(), [&](const ExprPtr& arg) {
           const ExprPtr what = meant(arg);
           return is_predicate(*what) || combines(*what);
         });
}

// The statements before it that the expression needs.
std::vector<const Stmt*> BodyWriter::Words::lets_of(const ExprPtr& expr) const {
  std::set<int> needed;
  Visited visited;
  const std::function<void(const ExprPtr&)> need = [&](const ExprPtr& root) {
    walk(root, visited, [&](const ir::Expr& part) {
      const auto let = lets_.find(part.index);
      if (part.op == Op::Local && let != lets_.end() && needed.insert(part.index).second)
        need(let->second->value);
    });
  };
  need(expr);
  std::vector<const Stmt*> lets;
  for (const Stmt* statement : statements_)
    if (statement->what == Stmt::What::Let && needed.count(statement->index) != 0) lets.push_back(statement);
  return lets;
}

// Lines of a loop that reads two rows and compares them.
constexpr std::size_t longest_plain = 8;

// A function of the rows that gives a bit for each lane.
std::string BodyWriter::truth_function(const Words& words, const ExprPtr& truth) {
  Stmt told;
  told.what = Stmt::What::Let;
  told.value = truth;
  const std::vector<const Stmt*> lets = words.lets_of(truth);
  std::vector<const Stmt*> statements = lets;
  statements.push_back(&told);
  BodyWriter own(form_, 1);
  own.begin_loop(statements);
  for (const Stmt* let : lets) own.let(*let);
  const std::string value = own.writer_.pred(truth);
  own.flush_lines();
  const std::string bits = own.truth("truth", value);
  own.end_loop();
  std::string text = own.prelude();
  for (const std::string& line : own.out_) text += line + "\n";
  writer_.tables.merge(own.writer_.tables);
  // A call costs more than a plain comparison, and is nothing to one that takes long to compile.
  const bool plain = own.out_.size() <= longest_plain;
  const char* result = plain ? "[[gnu::always_inline]] inline u32" : "[[gnu::noinline]] u32";
  return share_piece(make_part(result, text + fmt::format("return {};\n", bits), {}).text);
}

std::string BodyWriter::word_of(const Words& words, const ExprPtr& expr) {
  const ExprPtr what = words.meant(expr);
  if (is_predicate(*what)) return writer_.row(what->index, 0) + "[0]";
  const auto arg = [&](std::size_t i) { return word_of(words, what->args[i]); };
  if (what->op == Op::LogicalNot) return "~" + arg(0);
  if (words.combines(*what)) {
    const char* sign = what->op == Op::LogicalAnd ? "&" : what->op == Op::LogicalOr ? "|" : "^";
    return fmt::format("({} {} {})", arg(0), sign, arg(1));
  }
  const std::string function = truth_function(words, what);
  const auto [known, is_new] = told_.try_emplace(function, fmt::format("told_{}", told_.size()));
  if (is_new) line(fmt::format("const u32 {} = {}(warp, step);", known->second, function));
  return known->second;
}

// True if the body was written so. All words are known before the first row changes: it may be one of those
// read.
bool BodyWriter::write_words() {
  const bool computes = pieces_.size() == 1 && pieces_.front().what == Piece::What::Lanes && !apart_;
  if (!computes || lanes_ == 1 || parts_ != 1) return false;
  const Words words(form_, pieces_.front());
  if (!words.are_worth_it()) return false;
  std::vector<std::string> rows;
  for (const Stmt* statement : words.assigned) {
    const std::string row = writer_.row(statement->index, 0);
    line(fmt::format("const u32 word_{} = {};", rows.size(), word_of(words, statement->value)));
    rows.push_back(row);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    line(fmt::format("{0}[0] = blend_bits<full>(mask, word_{1}, {0}[0]);", rows[i], i));
  return true;
}

}  // namespace semcc::emit
