// Gives expressions of one form their meaning. Split over evaluate_*.cpp (the syntax) and call_*.cpp (the
// built-in functions).
#pragma once
#include <functional>
#include <set>

#include "semcc/check/expressions/build.h"
#include "semcc/check/types/scope.h"
#include "semcc/check/types/value.h"

namespace semcc::check {

// Reads operands and keeps values for a body; absent outside bodies (legality, operand types).
class Body;

// Which sets the text of a family mentioned: the others are unused modifiers.
using Mentioned = std::set<std::string>;

class Evaluator {
 public:
  Evaluator(const Scope& scope, const Bound& bound, const std::string& form_name, Mentioned& mentioned,
            Body* body = nullptr)
      : scope_(&scope), bound_(bound), form_name_(form_name), mentioned_(mentioned), body_(body) {}

  Value value(const front::Expr& e);
  ir::ExprPtr number(const front::Expr& e);  // an operand is read, a bare modifier is a truth value
  ir::ExprPtr number(const Value& value, Location at);
  ir::Type type(const front::Expr& e);
  bool decide(const front::Expr& e);                          // a compile-time condition
  mpz_class integer(const front::Expr& e, const char* what);  // a compile-time integer
  std::string word(const front::Expr& e);                     // a bare word or a set's member

  // Local names. A name may hide one further out.
  void push() { frames_.back().emplace_back(); }
  void pop() { frames_.back().pop_back(); }
  void define(const std::string& name, Value value) { frames_.back().back()[name] = std::move(value); }
  Value* local(const std::string& name);

  // `available(7.8, sm_90)` holds and adds to what the form needs.
  std::vector<front::Availability> needed;

 private:
  friend class Body;
  using Args = std::vector<front::ExprPtr>;
  struct Callee {
    std::string name;
    std::vector<front::ExprPtr> suffixes;   // type arguments, as Name expressions
    const front::Expr* receiver = nullptr;  // x.bit(3)
  };

  Value name(const front::Expr& e);
  Value named(const std::string& word, Location at);
  Value member(const front::Expr& e);
  Value index(const front::Expr& e);
  Value slice(const front::Expr& e);
  Value unary(const front::Expr& e);
  Value binary(const front::Expr& e);
  Value conditional(const front::Expr& e);
  Value contained(const front::Expr& e);
  Value call(const front::Expr& e);

  Callee callee(const front::Expr& e);
  bool is_value_name(const front::Expr& e);
  Value method(const front::Expr& receiver, const std::string& name, const std::vector<ir::ExprPtr>& args,
               Location at);
  Value function(const front::Function& f, const Callee& callee, const front::Expr& call);
  bool type_query(const std::string& name, const std::vector<front::ExprPtr>& suffixes, Location at,
                  Value& result);

  // Built-in functions, by subject; each returns whether it knows the name.
  bool call_type(const Callee& c, const front::Expr& e, Value& result);
  bool call_integer(const Callee& c, const front::Expr& e, Value& result);
  bool call_float(const Callee& c, const front::Expr& e, Value& result);
  bool call_memory(const Callee& c, const front::Expr& e, Value& result);
  std::vector<ir::ExprPtr> elements(const front::Expr& e);
  bool call_transfer(const Callee& c, const front::Expr& e, Value& result);
  bool call_multicast(const Callee& c, const front::Expr& e, Value& result);
  bool call_texture(const Callee& c, const front::Expr& e, Value& result);
  bool call_warp(const Callee& c, const front::Expr& e, Value& result);
  bool call_barrier(const Callee& c, const front::Expr& e, Value& result);
  bool call_matrix(const Callee& c, const front::Expr& e, Value& result);
  bool matrix_shape(const Callee& c, const front::Expr& e, Value& result);
  bool fragment(const Callee& c, const front::Expr& e, Value& result);
  bool tile(const Callee& c, const front::Expr& e, Value& result);
  bool multiply(const Callee& c, const front::Expr& e, Value& result);
  Value element(const front::Expr& e);
  ir::ExprPtr over_places(const front::Expr& lambda, unsigned rows, unsigned columns);
  const ir::Matrix& matrix(const front::Expr& e, int& index);
  unsigned extent(const front::Expr& e, const char* what);

  void want_args(const Callee& c, const front::Expr& e, std::size_t suffixes, std::size_t least,
                 std::size_t most);
  void want_args(const Callee& c, const front::Expr& e, std::size_t suffixes, std::size_t args) {
    want_args(c, e, suffixes, args, args);
  }
  ir::Rounding rounding(const front::Expr& e);
  ir::Type suffix_type(const Callee& c, std::size_t i);
  ir::MemoryLabels labels(const Args& args, std::size_t space, std::size_t sem, Location at);

  const Scope* scope_;
  const Bound& bound_;
  const std::string& form_name_;
  Mentioned& mentioned_;
  Body* body_;
  std::vector<std::vector<std::map<std::string, Value>>> frames_{
      {{}}};                                   // a stack of calls, each a stack of blocks
  std::vector<const front::Function*> calls_;  // to refuse recursion
};

// `value` as a value of `type`: refused unless it provably lies in its range. `what` names what it is for.
ir::Space space_of(Evaluator& names, const front::Expr& e);  // an absent word: generic

ir::ExprPtr fit(ir::ExprPtr value, const ir::Type& type, const std::string& what, Location at);

}  // namespace semcc::check
