// Checked forms built by hand, for tests that must not depend on the front end.
#pragma once
#include "semcc/ir/arithmetic.h"
#include "semcc/ir/form.h"

namespace semcc::test {

using ir::ExprPtr;
using ir::Kind;
using ir::Op;
using ir::Stmt;

inline ir::Type integer(unsigned width, bool is_signed) {
  return {Kind::Integer, is_signed, false, width, 1, ir::Format::None};
}
inline const ir::Type u16 = integer(16, false), u32 = integer(32, false), s32 = integer(32, true),
                      u64 = integer(64, false);
inline const ir::Type pred{Kind::Pred, false, false, 1, 1, ir::Format::None};
inline const ir::Type f32{Kind::Float, false, false, 32, 1, ir::Format::f32};
inline const ir::Type f16{Kind::Float, false, false, 16, 1, ir::Format::f16};
inline const ir::Type f16x2{Kind::Float, false, false, 16, 2, ir::Format::f16};

inline ExprPtr node(ir::Expr expr) { return std::make_shared<const ir::Expr>(std::move(expr)); }

inline ExprPtr operation(Op op, ir::Type type, std::vector<ExprPtr> args, ir::Interval range = {}) {
  ir::Expr expr;
  expr.op = op;
  expr.type = type;
  expr.range = range;
  expr.args = std::move(args);
  return node(expr);
}

inline ExprPtr constant(long value) {
  ir::Expr expr;
  expr.op = Op::Constant;
  expr.type = integer(0, false);
  expr.constant = value;
  expr.range = {value, value};
  return node(expr);
}

inline ExprPtr operand(int index, ir::Type type, int part = -1, ExprPtr lane = nullptr) {
  ir::Expr expr;
  expr.op = Op::Operand;
  expr.type = type;
  expr.type.parts = 1;
  expr.range = ir::range_of(type);
  expr.index = index;
  expr.part = part;
  if (lane) expr.args.push_back(lane);
  return node(expr);
}

inline ExprPtr local(int index, ir::Type type) {
  ir::Expr expr;
  expr.op = Op::Local;
  expr.type = type;
  expr.range = ir::range_of(type);
  expr.index = index;
  return node(expr);
}

inline ExprPtr add(ExprPtr a, ExprPtr b) {
  const ir::Interval range{a->range.low + b->range.low, a->range.high + b->range.high};
  return operation(Op::Add, integer(0, false), {a, b}, range);
}
inline ExprPtr mul(ExprPtr a, ExprPtr b) {  // of non-negative factors
  return operation(Op::Mul, integer(0, false), {a, b}, {0, a->range.high * b->range.high});
}
inline ExprPtr wrap(ir::Type type, ExprPtr a) { return operation(Op::Wrap, type, {a}, ir::range_of(type)); }
inline ExprPtr clamp(ir::Type type, ExprPtr a) { return operation(Op::Clamp, type, {a}, ir::range_of(type)); }
inline ExprPtr slice(ExprPtr a, unsigned high, unsigned low) {
  ir::Expr expr;
  expr.op = Op::Slice;
  expr.type = integer(high - low + 1, false);
  expr.args = {a};
  expr.high = high;
  expr.low = low;
  expr.range = ir::range_of(expr.type);
  return node(expr);
}

inline ir::Operand out(std::string name, ir::Type type) {
  ir::Operand o;
  o.name = std::move(name);
  o.out = true;
  o.type = type;
  o.kind = type.kind == Kind::Pred ? ir::OperandKind::Predicate : ir::OperandKind::Register;
  return o;
}
inline ir::Operand in(std::string name, ir::Type type) {
  ir::Operand o = out(std::move(name), type);
  o.in = true;
  o.out = false;
  return o;
}

inline Stmt assign(int index, ExprPtr value, int part = -1) {
  Stmt statement{};
  statement.what = Stmt::What::Assign;
  statement.index = index;
  statement.part = part;
  statement.value = std::move(value);
  return statement;
}

inline ir::Form form(std::string opcode, std::vector<std::string> modifiers,
                     std::vector<ir::Operand> operands, std::vector<Stmt> body) {
  ir::Form f;
  f.family = opcode;
  f.opcode = std::move(opcode);
  for (const std::string& word : modifiers) f.is_type.push_back(ir::is_type_word(word));
  f.modifiers = std::move(modifiers);
  f.operands = std::move(operands);
  f.body = std::move(body);
  return f;
}

inline ir::Program program(std::vector<ir::Form> forms) {
  ir::Program p;
  p.files = {"semantics/integer/add.psem"};
  ir::Family family;
  family.name = "add";
  family.at.file = 0;
  family.forms = std::move(forms);
  p.families.push_back(std::move(family));
  return p;
}

}  // namespace semcc::test
