#include "semcc/emit/facts/operation.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace semcc::emit {
namespace {

using ir::Expr;
using ir::Op;
using What = ir::Stmt::What;

bool is_memory(Op op) { return op == Op::MemoryRead || op == Op::MemoryUpdate; }

class Reader {
 public:
  explicit Reader(const ir::Form& form) : form_(form) {}

  Operation run() {
    if (form_.level == ir::Level::Warp) return exchanges() ? Operation{"exchange"} : Operation{};
    if (form_.level != ir::Level::Thread) return {};
    const ir::Stmt* first = nullptr;
    bool writes = false;
    for (const ir::Stmt& stmt : form_.body) {
      if (stmt.what == What::Assign && first == nullptr) first = &stmt;
      const bool reads = stmt.what == What::Let && stmt.value != nullptr && is_memory(stmt.value->op);
      writes = writes || stmt.what == What::MemoryWrite;
      const bool plain = stmt.what == What::Let || stmt.what == What::Assign ||
                         stmt.what == What::AssignState || stmt.what == What::Require ||
                         stmt.what == What::MemoryWrite;
      if (!plain || (reads && (stmt.value->op == Op::MemoryUpdate || stmt.guard != nullptr))) return {};
    }
    if (first == nullptr) return writes && stores_all() ? Operation{"store"} : Operation{};
    if (writes) return {};
    if (packs()) return {"packing"};
    const Operation found = of(*first);
    const int operand = first->index;
    const bool same = std::all_of(form_.body.begin(), form_.body.end(), [&](const ir::Stmt& stmt) {
      if (stmt.what != What::Assign || stmt.index != operand) return true;
      return stmt.value->op == Op::Unspecified || std::string(of(stmt).name) == found.name;
    });
    return same ? found : Operation{};
  }

  // What every update stores.
  Operation update() {
    std::optional<Operation> found;
    for (const ir::Stmt& stmt : form_.body) {
      if (stmt.what != What::Let || stmt.value == nullptr || stmt.value->op != Op::MemoryUpdate) continue;
      const Expr& stored = *stmt.value->args[0];
      part_ = part_in(stored);
      old_ = stmt.old_local;
      const Operation now = either(stored, stmt.type);
      if (found && std::string(found->name) != now.name) return {};
      found = now;
    }
    return found.value_or(Operation{});
  }

  // Whether it looks for one texel there, and assigns its channels as they are.
  bool fetches(const char* geometry, ir::Kind coordinates) const {
    unsigned texels = 0, channels = 0;
    for (const ir::Stmt& stmt : form_.body) {
      if (stmt.what == What::Transfer && reads_texel(stmt, geometry, coordinates)) {
        ++texels;
      } else if (stmt.what == What::Assign) {
        const ir::Operand& to = form_.operands[static_cast<std::size_t>(stmt.index)];
        if (to.type.kind == ir::Kind::Pred) continue;
        if (!is_channel(let(*stmt.value), static_cast<unsigned>(stmt.part))) return false;
        ++channels;
      } else if (stmt.what != What::Let) {
        return false;
      }
    }
    return texels == 1 && channels == 4;
  }

 private:
  static bool reads_texel(const ir::Stmt& stmt, const char* geometry, ir::Kind coordinates) {
    return stmt.name == "texture_read" && stmt.text == geometry && stmt.type.kind == coordinates &&
           stmt.level == 0 && stmt.args[1]->op == Op::Constant;
  }
  bool is_channel(const Expr& expr, unsigned channel) const {
    if ((expr.op == Op::Wrap || expr.op == Op::ToFloat) && expr.type.bits() == 32)
      return is_channel(let(*expr.args[0]), channel);
    return expr.op == Op::Slice && expr.low == 32 * channel && expr.high == 32 * channel + 31;
  }

  // Whether the first output is the first input of another lane, or left open.
  bool exchanges() const {
    const auto first_input = std::ranges::find_if(form_.operands, [](const ir::Operand& o) { return o.in; });
    const auto first_output =
        std::ranges::find_if(form_.operands, [](const ir::Operand& o) { return o.out; });
    if (first_input == form_.operands.end() || first_output == form_.operands.end()) return false;
    return std::ranges::any_of(form_.body, [&](const ir::Stmt& stmt) {
      if (stmt.what != What::Assign || stmt.index != first_output - form_.operands.begin()) return false;
      const Expr& e = let(*stmt.value);
      if (e.op != Op::Select || e.args[2]->op != Op::Unspecified) return false;
      const Expr& read = let(*e.args[1]);
      return read.op == Op::Operand && !read.args.empty() &&
             read.index == first_input - form_.operands.begin();
    });
  }
  // Whether there is a vector on one side, and its elements are only put together or taken apart.
  bool packs() const {
    const bool vector = std::any_of(form_.operands.begin(), form_.operands.end(),
                                    [](const ir::Operand& operand) { return operand.count > 1; });
    const bool scalar = std::any_of(form_.operands.begin(), form_.operands.end(),
                                    [](const ir::Operand& operand) { return operand.count == 1; });
    return vector && scalar && std::all_of(form_.body.begin(), form_.body.end(), [&](const ir::Stmt& stmt) {
             return stmt.what == What::Let || (stmt.what == What::Assign && is_piece(*stmt.value));
           });
  }
  bool is_piece(const Expr& expr) const {
    const Expr& e = let(expr);
    if (e.op == Op::Operand) return e.args.empty();
    if (e.op == Op::Or) return is_piece(*e.args[0]) && is_piece(*e.args[1]);
    if (e.op == Op::Shl) return is_piece(*e.args[0]) && e.args[1]->op == Op::Constant;
    return e.op == Op::Slice && is_piece(*e.args[0]);
  }

  const Expr& let(const Expr& expr) const {
    if (expr.op != Op::Local) return expr;
    for (const ir::Stmt& stmt : form_.body)
      if (stmt.what == What::Let && stmt.index == expr.index && stmt.value != nullptr)
        return let(*stmt.value);
    return expr;
  }

  // What a condition is where nothing is NaN; nothing: it depends on more.
  std::optional<bool> without_nan(const Expr& condition) const {
    const Expr& e = let(condition);
    const auto arg = [&](unsigned i) { return without_nan(*e.args[i]); };
    switch (e.op) {
      case Op::IsNan:
        return false;
      case Op::LogicalNot:
        if (const auto a = arg(0)) return !*a;
        return {};
      case Op::LogicalAnd:
      case Op::LogicalOr: {
        const auto a = arg(0), b = arg(1);
        const bool decides = e.op == Op::LogicalOr;
        if ((a && *a == decides) || (b && *b == decides)) return decides;
        return a && b ? std::optional(!decides) : std::nullopt;
      }
      default:
        return {};
    }
  }

  // Without what makes NaNs, flushes, limits and wraps.
  const Expr& core(const Expr& expr) const {
    const Expr& e = let(expr);
    switch (e.op) {
      case Op::Canonical:
      case Op::Flush:
      case Op::UnitClamp:
      case Op::Wrap:
      case Op::Clamp:
      case Op::Exact:
        return core(*e.args[0]);
      case Op::Select:
        if (const auto holds = without_nan(*e.args[0])) return core(*e.args[*holds ? 1 : 2]);
        return e;
      case Op::LogicalAnd:
      case Op::LogicalOr: {
        const auto neutral = [&](unsigned i) { return without_nan(*e.args[i]) == (e.op == Op::LogicalAnd); };
        return neutral(0) ? core(*e.args[1]) : neutral(1) ? core(*e.args[0]) : e;
      }
      default:
        return e;
    }
  }

  // The input at the place that is written, of an update first what lay there; -1: it is none.
  int input(const Expr& expr) const {
    const Expr& e = core(expr);
    if (e.op == Op::MemoryUpdate || (e.op == Op::Local && e.index == old_)) return 0;
    return e.op == Op::Operand && e.part == part_ && e.args.empty() ? e.index : -1;
  }
  // Inputs in the order in which they are written.
  bool inputs(const Expr& e) const {
    int last = -1;
    for (const auto& arg : e.args) {
      const int at = input(*arg);
      if (at <= last) return false;
      last = at;
    }
    return true;
  }
  bool are(const Expr& a, int index) const { return input(a) == index && index >= 0; }

  // The part of an input that a value is made of.
  int part_in(const Expr& expr) const {
    const Expr& e = let(expr);
    if (e.op == Op::Operand) return e.part;
    if (e.op == Op::MemoryUpdate) return -1;
    for (const auto& arg : e.args)
      if (const int part = part_in(*arg); part >= 0) return part;
    return -1;
  }

  // Where it depends on the address, both must be the same.
  Operation either(const Expr& expr, const ir::Type& type) const {
    const Operation one = of(expr, type);
    const Expr& e = core(expr);
    if (e.op != Op::Select || std::string(one.name) != "other") return one;
    const Operation a = either(*e.args[1], type), b = either(*e.args[2], type);
    return std::string(a.name) == b.name ? a : Operation{};
  }

  Operation of(const ir::Stmt& assign) {
    part_ = assign.part;
    return of(*assign.value, assigned(assign));
  }

  Operation of(const Expr& expr, const ir::Type& type) const {
    const Expr& value = let(expr);
    if (value.op == Op::Operand && input(value) >= 0 && value.type == type) return {"copy"};
    if (value.op == Op::MemoryRead) return {"load"};
    if (joins_predicate(value)) return truth(value);
    const Expr& e = core(value);
    if (e.op == Op::Operand) return is_conversion(value) ? Operation{"conversion"} : Operation{};
    if (const char* relation = relation_of(e)) return {"comparison", relation};
    switch (e.op) {
      case Op::Round:
        return real(*e.args[0]);
      case Op::Add:
        if (inputs(e)) return {"sum"};
        return is_product_sum(e) ? Operation{"product_sum"} : Operation{};
      case Op::Sub:
      case Op::Mul:
      case Op::Min:
      case Op::Max:
        return inputs(e) ? Operation{integer_name(e.op)} : Operation{};
      case Op::Neg:
      case Op::FloatNegate:
        return inputs(e) ? Operation{"negation"} : Operation{};
      case Op::Abs:
      case Op::FloatAbs:
        return inputs(e) ? Operation{"magnitude"} : Operation{};
      case Op::And:
      case Op::Or:
      case Op::Xor:
      case Op::LogicalAnd:
      case Op::LogicalOr:
      case Op::LogicalXor:
        return truth(e);
      case Op::Select:
        return choice(e);
      case Op::Shl:
        return shifts_by_input(e) ? Operation{"left_shift"} : Operation{};
      case Op::Shr:
        return shifts_by_input(e) ? Operation{"right_shift"} : Operation{};
      default:
        return {};
    }
  }

  // By the second input, of which what goes beyond a constant counts as that constant.
  bool shifts_by_input(const Expr& shift) const {
    const Expr& amount = core(*shift.args[1]);
    const bool limited = amount.op == Op::Min && core(*amount.args[1]).op == Op::Constant;
    const int value = input(*shift.args[0]), by = input(limited ? *amount.args[0] : amount);
    return value >= 0 && by > value;
  }

  // A truth value and a predicate.
  bool joins_predicate(const Expr& e) const {
    if (e.op != Op::LogicalAnd && e.op != Op::LogicalOr && e.op != Op::LogicalXor) return false;
    const Expr& other = let(*e.args[1]);
    return other.op == Op::Operand && other.type.kind == ir::Kind::Pred;
  }

  // An integer, wrapped or limited.
  bool is_conversion(const Expr& expr) const {
    const Expr& e = let(expr);
    if (e.op == Op::Operand) return e.type.kind == ir::Kind::Integer && input(e) >= 0;
    return (e.op == Op::Wrap || e.op == Op::Clamp) && is_conversion(*e.args[0]);
  }

  ir::Type assigned(const ir::Stmt& assign) const {
    ir::Type type = form_.operands.at(static_cast<std::size_t>(assign.index)).type;
    if (assign.part >= 0 && type.parts > 1) type.parts = 1;
    return type;
  }

  static const char* integer_name(Op op) {
    return op == Op::Sub ? "difference" : op == Op::Mul ? "product" : op == Op::Min ? "minimum" : "maximum";
  }

  bool is_product_sum(const Expr& sum) const {
    const Expr& product = core(*sum.args[0]);
    return product.op == Op::Mul && inputs(product) && input(*sum.args[1]) > input(*product.args[1]);
  }

  Operation real(const Expr& e) const {
    const bool named =
        e.op == Op::RealAdd || e.op == Op::RealSub || e.op == Op::RealMul || e.op == Op::RealFma;
    if (!named || !inputs(e)) return {};
    return {e.op == Op::RealAdd   ? "sum"
            : e.op == Op::RealSub ? "difference"
            : e.op == Op::RealMul ? "product"
                                  : "product_sum"};
  }

  // Of two inputs; also of a comparison and a predicate, which keeps the relation.
  Operation truth(const Expr& e) const {
    const char* const name = e.op == Op::And || e.op == Op::LogicalAnd ? "conjunction"
                             : e.op == Op::Or || e.op == Op::LogicalOr ? "disjunction"
                                                                       : "parity";
    if (inputs(e)) return {name};
    const char* const relation = relation_of(core(*e.args[0]));
    return joins_predicate(e) ? Operation{name, relation != nullptr ? relation : "none"} : Operation{};
  }

  Operation choice(const Expr& e) const {
    const int a = input(*e.args[1]), b = input(*e.args[2]);
    if (a < 0 || b < 0 || a >= b) return {};
    const Expr& condition = let(*e.args[0]);
    if (condition.op == Op::Operand && condition.type.kind == ir::Kind::Pred && condition.index > b)
      return {"selection"};
    // Of two floats: equal ones of two signs are told apart besides.
    const Expr& less = condition.op == Op::LogicalOr ? let(*condition.args[0]) : condition;
    if (less.op != Op::FloatLess) return {};
    if (are(*less.args[0], a) && are(*less.args[1], b)) return {"minimum"};
    return are(*less.args[0], b) && are(*less.args[1], a) ? Operation{"maximum"} : Operation{};
  }

  const char* relation_of(const Expr& expr) const {
    const bool opposite = expr.op == Op::LogicalNot;
    const Expr& e = opposite ? core(*expr.args[0]) : expr;
    if (e.args.size() != 2) return nullptr;
    const int a = input(*e.args[0]), b = input(*e.args[1]);
    if (a < 0 || b < 0 || a == b) return nullptr;
    switch (e.op) {
      case Op::Equal:
      case Op::FloatEqual:
        return opposite ? "ne" : "eq";
      case Op::NotEqual:
        return opposite ? "eq" : "ne";
      case Op::Less:
      case Op::FloatLess:
        return a < b ? (opposite ? "ge" : "lt") : (opposite ? "le" : "gt");
      case Op::LessEqual:
      case Op::FloatLessEqual:
        return a < b ? (opposite ? "gt" : "le") : (opposite ? "lt" : "ge");
      default:
        return nullptr;
    }
  }

  bool stores_all() {
    return std::all_of(form_.body.begin(), form_.body.end(), [&](const ir::Stmt& stmt) {
      if (stmt.what != What::MemoryWrite) return true;
      const Expr& value = let(*stmt.value);
      return value.op == Op::Operand && value.args.empty();
    });
  }

  const ir::Form& form_;
  int part_ = -1;
  int old_ = -2;  // of an update: the local that is what lay there
};

bool flushes_input(const ir::ExprPtr& expr, std::set<const Expr*>& seen) {
  if (expr == nullptr || !seen.insert(expr.get()).second) return false;
  return (expr->op == Op::Flush && expr->args[0]->op == Op::Operand) ||
         std::any_of(expr->args.begin(), expr->args.end(),
                     [&](const auto& arg) { return flushes_input(arg, seen); });
}

}  // namespace

Operation operation_of(const ir::Form& form) { return Reader(form).run(); }

Operation update_of(const ir::Form& form) { return Reader(form).update(); }

bool flushes(const ir::Form& form) {
  std::set<const Expr*> seen;
  return std::any_of(form.body.begin(), form.body.end(),
                     [&](const ir::Stmt& stmt) { return flushes_input(stmt.value, seen); });
}

bool has_texels(const ir::Form& form) {
  return std::any_of(form.body.begin(), form.body.end(), [](const ir::Stmt& stmt) {
    return stmt.what == What::Transfer &&
           (stmt.name.starts_with("texture_") || stmt.name.starts_with("surface_")) &&
           !stmt.name.ends_with("_query");
  });
}

bool fetches(const ir::Form& form) { return Reader(form).fetches("1d", ir::Kind::Integer); }
bool samples(const ir::Form& form) { return Reader(form).fetches("2d", ir::Kind::Float); }

}  // namespace semcc::emit
