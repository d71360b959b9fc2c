// Calls that serve all lanes at once: memory accesses and barriers, and the rows that go in and out of them.
#include <fmt/format.h>

#include "semcc/emit/executors.h"
#include "semcc/emit/executors_body_writer.h"

namespace semcc::emit {

using ir::Kind;
using ir::Op;
using ir::Stmt;

std::string space_name(ir::Space space, ir::Location at) {
  static constexpr const char* names[] = {"None",  "Generic", "Global", "Shared",     "SharedCluster",
                                          "Local", "Const",   "Param",  "ParamEntry", "ParamFunc"};
  if (space == ir::Space::None) throw Error(at, "a memory access without a state space");
  return fmt::format("Space::{}", names[static_cast<int>(space)]);
}

// True if the operand's row can be handed on as it is.
bool BodyWriter::is_row(const ir::ExprPtr& expr, const std::string& type) const {
  if (expr->op == Op::Wrap && expr->type.width == 64 && expr->args[0]->op == Op::Operand)
    return is_row(expr->args[0], type);
  if (expr->op != Op::Operand || !expr->args.empty()) return false;
  const ir::Operand& operand = form_.operands.at(expr->index);
  return operand.type.kind != Kind::Pred && place_of(operand, expr->part).part < 0 &&
         writer_.element_type(expr->index) == type;
}

// What the next call takes from each lane: rows as they are, everything else computed into arrays by this
// loop.
void BodyWriter::arguments_of(const Piece& next) {
  call_arguments_.clear();
  const auto pass = [&](const ir::ExprPtr& expr, const std::string& type, const std::string& name,
                        auto&& text) {
    if (is_row(expr, type)) {
      const ir::Expr& operand = expr->op == Op::Wrap ? *expr->args[0] : *expr;
      call_arguments_.push_back(
          writer_.row(operand.index, place_of(form_.operands[operand.index], operand.part).element));
      return;
    }
    const std::string rows = array(type, name);
    const std::string value = text(expr);
    flush_lines();
    line(fmt::format("{}[lane] = {};", rows, value));
    call_arguments_.push_back(rows);
  };
  const auto as_address = [&](const ir::ExprPtr& expr) { return writer_.address(expr); };
  const Stmt& first = *next.statements.front();
  if (first.address) pass(first.address, "u64", "address", as_address);
  if (next.what == Piece::What::Write)
    for (const Stmt* statement : next.statements)
      pass(statement->value, unsigned_name(statement->type.bits()), "value",
           [&](const ir::ExprPtr& expr) { return writer_.bits_of(expr, statement->type.bits()); });
  if (next.what == Piece::What::Barrier) {
    for (const ir::ExprPtr& arg : first.args) {
      if (arg->type.kind == Kind::Pred) {
        const std::string value = writer_.pred(arg);
        flush_lines();
        call_arguments_.push_back(truth("pred", value));
      } else {
        pass(arg, "u32", "argument", [&](const ir::ExprPtr& expr) { return writer_.bits_of(expr, 32); });
      }
    }
  }
}

// A memory element as a local's value: `text` is its unsigned pattern.
Code BodyWriter::element(const Stmt& statement, const std::string& text) const {
  if (statement.type.kind == Kind::Float) return {text, {}};
  const bool is_signed = statement.type.is_signed;
  const unsigned bits = statement.type.bits();
  const Machine machine{is_signed, word_for(bits, statement.at)};
  if (bits >= 32) return seen_as(text, {false, bits}, machine);
  return {fmt::format("{}({}{}({}))", machine.name(), is_signed ? "s" : "u", bits, text), machine, text,
          bits};
}

// A call's result: an array of element patterns, the value of the local if there is one.
std::string BodyWriter::result_rows(const Stmt& statement) {
  const std::string rows = fmt::format("got_{}", arrays_++);
  const std::string type = unsigned_name(statement.type.bits());
  if (const auto row = direct_.find(statement.index); row != direct_.end()) {
    line(fmt::format("alignas(64) {} {}_apart[32];", type, rows));
    line(fmt::format("{0}* const {1} = full ? {2} : {1}_apart;", type, rows,
                     writer_.row(row->second.first, row->second.second)));
  } else {
    line(fmt::format("alignas(64) {} {}[32];", type, rows));
  }
  if (statement.index >= 0) writer_.name_local(statement.index, element(statement, rows + "[lane]"));
  return rows;
}

void BodyWriter::write_read(const Piece& piece) {
  const Stmt& first = *piece.statements.front();
  std::vector<std::string> values;
  for (const Stmt* statement : piece.statements) values.push_back(result_rows(*statement));
  const std::string type = unsigned_name(first.type.bits()), space = space_name(first.labels.space, first.at);
  const std::string& address = call_arguments_.at(0);
  if (values.size() == 1)
    line(fmt::format("exec::read_lanes<{}, {}>(warp, step, mask, {}, {});", type, space, address, values[0]));
  else
    line(fmt::format("exec::read_vectors<{}, {}, {}>(warp, step, mask, {}, {{{}}});", type, space,
                     values.size(), address, fmt::join(values, ", ")));
}

void BodyWriter::write_write(const Piece& piece) {
  const Stmt& first = *piece.statements.front();
  const std::string type = unsigned_name(first.type.bits()), space = space_name(first.labels.space, first.at);
  const std::vector<std::string> values(call_arguments_.begin() + 1, call_arguments_.end());
  if (values.size() == 1) {
    line(fmt::format("exec::write_lanes<{}, {}>(warp, step, mask, {}, {});", type, space, call_arguments_[0],
                     values[0]));
  } else {
    line(fmt::format("exec::write_vectors<{}, {}, {}>(warp, step, mask, {}, {{{}}});", type, space,
                     values.size(), call_arguments_[0], fmt::join(values, ", ")));
  }
}

void BodyWriter::write_update(const Piece& piece) {
  const Stmt& statement = *piece.statements.front();
  const std::string type = unsigned_name(statement.type.bits());
  // Inside the change the old value is its parameter; afterwards the local is the row of old values.
  if (statement.old_local >= 0) writer_.name_local(statement.old_local, element(statement, "old"));
  Stmt change = statement;
  change.address = nullptr;
  change.value = statement.value->args.at(0);
  writer_.begin({&change});
  const std::string value = writer_.bits_of(change.value, statement.type.bits());
  const std::vector<std::string> lines = writer_.take_lines();
  const std::string rows = result_rows(statement);
  line(
      fmt::format("exec::update_lanes<{}, {}>(warp, step, mask, {}, {}, [&]([[maybe_unused]] u32 lane, "
                  "[[maybe_unused]] {} old) {{",
                  type, space_name(statement.labels.space, statement.at), call_arguments_.at(0), rows, type));
  for (const std::string& text : lines) line("  " + text);
  line(fmt::format("  return {};", value));
  line("});");
}

void BodyWriter::write_barrier(const Piece& piece) {
  const Stmt& statement = *piece.statements.front();
  const std::string arguments = fmt::format("{}", fmt::join(call_arguments_, ", "));
  if (statement.name == "sync" || statement.name == "arrive") {
    line(fmt::format("exec::barrier_{}(warp, step, mask, {});", statement.name, arguments));
    return;
  }
  static const std::map<std::string, std::string> reductions{
      {"reduce_popc", "popc"}, {"reduce_and", "all"}, {"reduce_or", "any"}};
  const auto found = reductions.find(statement.name);
  if (found == reductions.end())
    throw Error(statement.at, fmt::format("barrier operation `{}` has no executor", statement.name));
  line(fmt::format("exec::barrier_reduce(warp, step, exec::BarrierOp::{}, mask, {}, {});", found->second,
                   arguments, writer_.row(statement.index, 0)));
}

}  // namespace semcc::emit
