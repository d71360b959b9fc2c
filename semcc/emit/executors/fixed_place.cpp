#include "semcc/emit/executors/fixed_place.h"

#include <algorithm>

namespace semcc::emit {
namespace {

using ir::Op;

std::optional<mpz_class> at(const ir::Expr& expr, unsigned lane, unsigned place) {
  if (expr.op == Op::Constant) return expr.constant;
  if (expr.op == Op::Lane) return mpz_class(lane);
  if (expr.op == Op::BoundIndex && expr.index == 0) return mpz_class(place);
  std::vector<mpz_class> args;
  for (const ir::ExprPtr& arg : expr.args) {
    const auto value = at(*arg, lane, place);
    if (!value || *value < 0) return {};
    args.push_back(*value);
  }
  switch (expr.op) {
    case Op::Add:
      return mpz_class(args[0] + args[1]);
    case Op::Mul:
      return mpz_class(args[0] * args[1]);
    case Op::Div:
      return args[1] == 0 ? std::optional<mpz_class>() : mpz_class(args[0] / args[1]);
    case Op::Rem:
      return args[1] == 0 ? std::optional<mpz_class>() : mpz_class(args[0] % args[1]);
    case Op::Shr:
      return args[1] > 31 ? std::optional<mpz_class>() : mpz_class(args[0] >> args[1].get_ui());
    default:
      return {};
  }
}

}  // namespace

std::optional<std::vector<unsigned>> fixed_places(const ir::Stmt& statement, const ir::Operand& operand,
                                                  const ir::Matrix& matrix) {
  const unsigned parts = operand.type.parts, piece = 32 * parts;
  std::vector<unsigned> places;
  std::vector<bool> taken(piece);
  for (unsigned reg = 0; reg < operand.count; ++reg) {
    for (unsigned i = 0; i < piece; ++i) {
      const unsigned lane = i / parts, element = reg * parts + i % parts;
      const auto row = at(*statement.args[0], lane, element), column = at(*statement.args[1], lane, element);
      if (!row || !column) return {};
      const mpz_class place = *row * matrix.columns + *column - mpz_class(reg) * piece;
      if (place < 0 || place >= piece) return {};
      const auto where = static_cast<unsigned>(place.get_ui());
      if (reg == 0) {
        if (taken[where]) return {};
        taken[where] = true;
        places.push_back(where);
      } else if (places[i] != where) {
        return {};
      }
    }
  }
  return places;
}

bool is_fixed(const ir::Stmt& statement) {
  return std::all_of(statement.args.begin(), statement.args.end(),
                     [](const ir::ExprPtr& arg) { return at(*arg, 0, 0).has_value(); });
}

bool is_identity(const std::vector<unsigned>& places) {
  for (unsigned i = 0; i < places.size(); ++i)
    if (places[i] != i) return false;
  return true;
}

std::vector<unsigned> inverse(const std::vector<unsigned>& places) {
  std::vector<unsigned> back(places.size());
  for (unsigned i = 0; i < places.size(); ++i) back[places[i]] = i;
  return back;
}

}  // namespace semcc::emit
