#include "semcc/emit/executors_plan.h"

#include <fmt/format.h>

namespace semcc::emit {
namespace {

using ir::Op;
using ir::Stmt;

// An address as a base and a constant distance from it.
struct Target {
  std::string base;
  mpz_class offset;
};

Target target_of(const ir::ExprPtr& address) {
  if (address->op == Op::Wrap && address->type.width == 64) return target_of(address->args[0]);
  if (address->op == Op::Add) {
    for (const int constant : {0, 1}) {
      if (address->args[constant]->op != Op::Constant) continue;
      Target place = target_of(address->args[1 - constant]);
      place.offset += address->args[constant]->constant;
      return place;
    }
  }
  return {structure(*address), 0};
}

Piece::What kind_of(const Stmt& statement) {
  switch (statement.what) {
    case Stmt::What::MemoryWrite: return Piece::What::Write;
    case Stmt::What::Fence: return Piece::What::Fence;
    case Stmt::What::Barrier: return Piece::What::Barrier;
    case Stmt::What::Let:
      if (statement.value && statement.value->op == Op::MemoryRead) return Piece::What::Read;
      if (statement.old_local >= 0 || (statement.value && statement.value->op == Op::MemoryUpdate)) return Piece::What::Update;
      break;
    default: break;
  }
  return statement.scalar ? Piece::What::Once : Piece::What::Lanes;
}

bool extends_vector(const Piece& piece, const Stmt& statement) {
  const Stmt& first = *piece.statements.front();
  if (!(first.type == statement.type) || first.labels.space != statement.labels.space) return false;
  const Target start = target_of(first.address), here = target_of(statement.address);
  const mpz_class distance = here.offset - start.offset;
  return start.base == here.base && distance == mpz_class(piece.statements.size() * (first.type.bits() / 8));
}

bool is_assignment(const Stmt& statement) {
  return statement.what == Stmt::What::Assign || statement.what == Stmt::What::AssignState;
}

}  // namespace

Place place_of(const ir::Operand& operand, int part) {
  const int parts = static_cast<int>(operand.type.parts);
  const bool packed = parts > 1 && part >= 0;
  return {operand.count > 1 && part >= 0 ? part / parts : 0, packed ? part % parts : -1};
}

std::string structure(const ir::Expr& expr) {
  std::string text = fmt::format("{}:{}:{}:{}:{}:{}:{}", static_cast<int>(expr.op), expr.index, expr.part, expr.constant.get_str(),
                                 expr.high, expr.low, expr.name);
  for (const ir::ExprPtr& arg : expr.args) text += "(" + structure(*arg) + ")";
  return text;
}

std::vector<Piece> plan(const ir::Form& form) {
  std::vector<Piece> pieces;
  const auto place = [&](const Stmt& statement) {
    const Piece::What what = kind_of(statement);
    const bool joins = !pieces.empty() && pieces.back().what == what;
    const bool vector = what == Piece::What::Read || what == Piece::What::Write;
    if (joins && (what == Piece::What::Lanes || what == Piece::What::Once || (vector && extends_vector(pieces.back(), statement))))
      pieces.back().statements.push_back(&statement);
    else
      pieces.push_back({what, {&statement}});
  };
  for (const Stmt& statement : form.body)
    if (!is_assignment(statement) && statement.what != Stmt::What::Prefetch) place(statement);
  for (const Stmt& statement : form.body)
    if (is_assignment(statement)) place(statement);
  return pieces;
}

bool crosses_lanes(const ir::Form& form) {
  bool crosses = false;
  Visited visited;
  for (const Stmt& statement : form.body)
    walk(statement, visited, [&](const ir::Expr& expr) {
      crosses |= expr.op == Op::Ballot || expr.op == Op::Reduce || expr.op == Op::PredMask ||
                 (expr.op == Op::Operand && !expr.args.empty());
    });
  return crosses;
}

}  // namespace semcc::emit
