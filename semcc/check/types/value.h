// What an expression of the semantics language can denote while a form is expanded.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "semcc/front/syntax.h"
#include "semcc/ir/form.h"

namespace semcc::check {

using front::Location;
using front::Refusal;

struct Value {
  enum class What {
    Poison,    // follows from an error that was reported
    Number,    // `expr`: Integer, Float, Pred or Real, at run time or constant
    Type,      // `type`
    Word,      // `word`: a set member, a space, a scope …; empty: an optional modifier that is absent
    Set,       // `members`
    Operand,   // operand `index`, not read yet; `element` of a vector (-1: whole)
    Variable,  // a `var` of the body: `index`
    Active,    // the lanes that execute
    Matrix,    // matrix `index` of the form
    Range,     // range.T: `type`
  } what = What::Poison;
  ir::ExprPtr expr{};
  ir::Type type{};
  std::string word{};
  std::vector<Value> members{};
  int index = -1, element = -1;

  static Value number(ir::ExprPtr e) {
    Value v{What::Number};
    v.expr = std::move(e);
    return v;
  }
  static Value of_type(ir::Type t) {
    Value v{What::Type};
    v.type = t;
    return v;
  }
  static Value of_word(std::string w) {
    Value v{What::Word};
    v.word = std::move(w);
    return v;
  }
  static Value operand(int i) {
    Value v{What::Operand};
    v.index = i;
    return v;
  }

  static Value matrix(int i) {
    Value v{What::Matrix};
    v.index = i;
    return v;
  }

  bool is(What w) const { return what == w; }
};

using Bound = std::map<std::string, Value>;  // set or alias name -> its member in this form

}  // namespace semcc::check
