#include "semcc/emit/executors/plan.h"

#include <fmt/format.h>

#include <algorithm>

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
    case Stmt::What::MemoryWrite:
      return Piece::What::Write;
    case Stmt::What::Transfer:
      return Piece::What::Transfer;
    case Stmt::What::Fence:
      return Piece::What::Fence;
    case Stmt::What::Barrier:
      return Piece::What::Barrier;
    case Stmt::What::Let:
      if (statement.value && statement.value->op == Op::MemoryRead) return Piece::What::Read;
      if (statement.old_local >= 0 || (statement.value && statement.value->op == Op::MemoryUpdate))
        return Piece::What::Update;
      break;
    case Stmt::What::Gather:
    case Stmt::What::Scatter:
    case Stmt::What::Each:
    case Stmt::What::ReadTile:
    case Stmt::What::WriteTile:
    case Stmt::What::Multiply:
      return Piece::What::Matrix;
    default:
      break;
  }
  return statement.scalar ? Piece::What::Once : Piece::What::Lanes;
}

bool extends_vector(const Piece& piece, const Stmt& statement) {
  const Stmt& first = *piece.statements.front();
  if (first.guard != statement.guard) return false;
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
  std::string text = fmt::format("{}:{}:{}:{}:{}:{}:{}", static_cast<int>(expr.op), expr.index, expr.part,
                                 expr.constant.get_str(), expr.high, expr.low, expr.name);
  for (const ir::ExprPtr& arg : expr.args) text += "(" + structure(*arg) + ")";
  return text;
}

bool says_aligned(const ir::Stmt& requirement, const Piece& access) {
  const ir::ExprPtr& claim = requirement.value;
  if (requirement.what != Stmt::What::Require || claim->op != Op::Equal) return false;
  const ir::ExprPtr& rest = claim->args[0];
  const auto is = [](const ir::ExprPtr& expr, const mpz_class& value) {
    return expr->op == Op::Constant && expr->constant == value;
  };
  if (rest->op != Op::Rem || !is(claim->args[1], 0)) return false;
  const Stmt& first = *access.statements.front();
  return !first.guard && structure(*first.address) == structure(*rest->args[0]) &&
         is(rest->args[1], mpz_class(access.statements.size() * first.type.bits() / 8));
}

bool checked_by_access(const ir::Stmt& requirement, const std::vector<Piece>& pieces) {
  const auto access = std::find_if(pieces.begin(), pieces.end(), [](const Piece& piece) {
    return piece.what == Piece::What::Read || piece.what == Piece::What::Write;
  });
  return access != pieces.end() && says_aligned(requirement, *access);
}

std::map<int, std::pair<int, int>> direct_rows(const ir::Form& form, const std::vector<Piece>& pieces) {
  if (pieces.size() < 2 || crosses_lanes(form)) return {};
  const Piece& reads = pieces[pieces.size() - 2];
  const Piece& assigns = pieces.back();
  if (reads.what != Piece::What::Read || assigns.what != Piece::What::Lanes ||
      reads.statements.size() != assigns.statements.size())
    return {};
  std::map<int, std::pair<int, int>> rows;
  for (const Stmt* statement : assigns.statements) {
    if (statement->what != Stmt::What::Assign || statement->value->op != Op::Local) return {};
    const ir::Operand& operand = form.operands.at(static_cast<std::size_t>(statement->index));
    const Place place = place_of(operand, statement->part);
    if (operand.type.kind == ir::Kind::Pred || place.part >= 0) return {};
    rows[statement->value->index] = {statement->index, place.element};
  }
  for (const Stmt* statement : reads.statements) {
    if (statement->guard) return {};
    const auto row = rows.find(statement->index);
    if (row == rows.end() ||
        form.operands.at(static_cast<std::size_t>(row->second.first)).type.bits() != statement->type.bits())
      return {};
  }
  return rows;
}

std::vector<Piece> plan(const ir::Form& form) {
  std::vector<Piece> pieces;
  const auto place = [&](const Stmt& statement) {
    const Piece::What what = kind_of(statement);
    const bool joins = !pieces.empty() && pieces.back().what == what;
    const bool vector = what == Piece::What::Read || what == Piece::What::Write;
    if (joins && (what == Piece::What::Lanes || what == Piece::What::Once ||
                  (vector && extends_vector(pieces.back(), statement))))
      pieces.back().statements.push_back(&statement);
    else
      pieces.push_back({what, {&statement}});
  };
  for (const Stmt& statement : form.body)
    if (!is_assignment(statement) && statement.what != Stmt::What::Prefetch) place(statement);
  for (const Stmt& statement : form.body)
    if (is_assignment(statement)) place(statement);
  for (Piece& piece : pieces) {
    auto& statements = piece.statements;
    statements.erase(std::remove_if(statements.begin(), statements.end(),
                                    [&](const Stmt* s) { return checked_by_access(*s, pieces); }),
                     statements.end());
  }
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
