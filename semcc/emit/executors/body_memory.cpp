// Calls that serve all lanes at once: memory accesses and barriers, and the rows that go in and out of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semcc/emit/executors/body_writer.h"
#include "semcc/emit/executors/executors.h"
#include "semcc/emit/facts/accesses.h"

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

namespace {

// What `form` does to the texels of a surface whose place it finds: a word of exec/texture/surface.h.
std::string surface_use(const ir::Form& form) {
  const Access there = accesses(form).at(computed_access + static_cast<int>(ir::Space::Global));
  return fmt::format("exec::Use::{}", there.updates ? "update" : there.writes ? "write" : "read");
}

bool is_texture(const Stmt& transfer) {
  return transfer.name.rfind("texture_", 0) == 0 || transfer.name.rfind("surface_", 0) == 0;
}

bool is_multicast(const Stmt& transfer) { return transfer.name.rfind("multicast_", 0) == 0; }

}  // namespace

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
  call_mask_ = "mask";
  if (first.guard) {
    const std::string bits = fmt::format("only_{}", arrays_++);
    before_.push_back(fmt::format("u32 {} = 0;", bits));
    const std::string value = writer_.pred(first.guard);
    flush_lines();
    line(fmt::format("{} |= u32({}) << lane;", bits, value));
    call_mask_ = fmt::format("mask & {}", bits);
  }
  if (next.what == Piece::What::Transfer) {
    // Two addresses (reads of textures: handle and sampler; of a map's type, questions, surfaces and
    // multicast memory: one), then numbers.
    const bool reads = first.name == "texture_read" || first.name == "texture_gather";
    const bool one = first.name == "tensor_type" || (is_texture(first) && !reads) || is_multicast(first);
    const std::size_t addresses = one ? 1 : 2;
    for (std::size_t i = 0; i < first.args.size(); ++i) {
      if (i < addresses)
        pass(first.args[i], "u64", "address", as_address);
      else
        pass(first.args[i], "u32", "number",
             [&](const ir::ExprPtr& expr) { return writer_.bits_of(expr, 32); });
    }
  }
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
  std::string rows = fmt::format("got_{}", arrays_++);
  const std::string type = unsigned_name(statement.type.bits());
  if (const auto row = direct_.find(statement.index); row != direct_.end()) {
    line(fmt::format("alignas(64) {} {}_apart[32];", type, rows));
    line(fmt::format("{0}* const {1} = full ? {2} : {1}_apart;", type, rows,
                     writer_.row(row->second.first, row->second.second)));
  } else {
    line(fmt::format("alignas(64) {} {}[32];", type, rows));
  }
  declared_[rows] = fmt::format("const {}*", type);
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
    line(fmt::format("exec::read_lanes<{}, {}>(warp, step, {}, {}, {});", type, space, call_mask_, address,
                     values[0]));
  else
    line(fmt::format("exec::read_vectors<{}, {}, {}>(warp, step, {}, {}, {{{}}});", type, space,
                     values.size(), call_mask_, address, fmt::join(values, ", ")));
}

void BodyWriter::write_write(const Piece& piece) {
  const Stmt& first = *piece.statements.front();
  const std::string type = unsigned_name(first.type.bits()), space = space_name(first.labels.space, first.at);
  const std::vector<std::string> values(call_arguments_.begin() + 1, call_arguments_.end());
  if (values.size() == 1) {
    line(fmt::format("exec::write_lanes<{}, {}>(warp, step, {}, {}, {});", type, space, call_mask_,
                     call_arguments_[0], values[0]));
  } else {
    line(fmt::format("exec::write_vectors<{}, {}, {}>(warp, step, {}, {}, {{{}}});", type, space,
                     values.size(), call_mask_, call_arguments_[0], fmt::join(values, ", ")));
  }
}

std::string BodyWriter::change(const Stmt& statement, const std::string& parameters) {
  if (statement.old_local >= 0) writer_.name_local(statement.old_local, element(statement, "old"));
  if (statement.element_local >= 0)
    writer_.name_local(statement.element_local, element(statement, "element"));
  Stmt change = statement;
  change.guard = change.address = nullptr;
  change.args.clear();
  if (change.value->op == Op::MemoryUpdate) change.value = statement.value->args.at(0);
  writer_.begin({&change});
  const std::string value = writer_.bits_of(change.value, statement.type.bits());
  std::string text;
  for (const std::string& before : writer_.take_lines()) text += "    " + before + "\n";
  const SharedPiece piece = make_change(unsigned_name(statement.type.bits()), parameters,
                                        text + fmt::format("    return {};\n", value), declared());
  return fmt::format("{}{{{}}}", share_piece(piece.text), fmt::join(piece.captured, ", "));
}

std::string BodyWriter::share_piece(const std::string& text) {
  auto place = std::find(shared_.begin(), shared_.end(), text);
  if (place == shared_.end()) place = shared_.insert(place, text);
  return piece_name(static_cast<std::size_t>(place - shared_.begin()));
}

void BodyWriter::write_update(const Piece& piece) {
  const Stmt& statement = *piece.statements.front();
  const std::string type = unsigned_name(statement.type.bits());
  // Inside the change the old value is its parameter; afterwards the local is the row of old values.
  const std::string changed = change(statement, fmt::format("u32 lane, {} old", type));
  const std::string rows = result_rows(statement);
  line(fmt::format("exec::update_lanes<{}, {}>(warp, step, {}, {}, {}, {});", type,
                   space_name(statement.labels.space, statement.at), call_mask_, call_arguments_.at(0), rows,
                   changed));
}

// Reads of textures, places in surfaces, questions about either: a handle, then coordinates.
void BodyWriter::write_texture(const Stmt& statement) {
  const std::string rows = fmt::format("got_{}", arrays_++);
  const unsigned bits = form_.locals.at(static_cast<std::size_t>(statement.index)).type.bits();
  line(fmt::format("alignas(64) {} {}[32];", bits == 128 ? "u128" : unsigned_name(bits), rows));
  declared_[rows] = fmt::format("const {}*", unsigned_name(bits));
  writer_.name_local(statement.index, {rows + "[lane]", Machine{false, bits}, rows + "[lane]", bits});
  const auto list = [](auto begin, auto end) { return fmt::format("{{{}}}, ", fmt::join(begin, end, ", ")); };
  const auto first = call_arguments_.begin(), last = call_arguments_.end();
  std::string what = fmt::format("exec::Geometry::g{}", statement.text), operands = *first + ", ";
  if (const bool gathers = statement.name == "texture_gather"; gathers || statement.name == "texture_read") {
    what += gathers                              ? ", exec::Component::" + statement.mode
            : statement.type.kind == Kind::Float ? ", exec::Coordinates::real"
                                                 : ", exec::Coordinates::integer";
    const auto place = first + 2, offsets = place + statement.part, level = last - statement.level;
    operands += *(first + 1) + ", " + list(place, offsets) + list(offsets, level);
    if (!gathers) operands += list(level, last);
  } else if (!statement.mode.empty()) {
    what += fmt::format(", exec::Outside::{}, {}", statement.mode, surface_use(form_));
    operands += list(first + 1, last);
    if (statement.name == "surface_bytes") operands += fmt::format("{}, ", statement.part);
  } else {
    what = "exec::Query::" + statement.text;
  }
  line(fmt::format("exec::{}_lanes(warp, step, {}, {}, {}{});", statement.name, call_mask_, what, operands,
                   rows));
}

// Memory of a team of devices: what is done in each place, or with all places' values, and those come back.
void BodyWriter::write_multicast(const Stmt& statement) {
  const std::string type = unsigned_name(statement.type.bits());
  const bool reduces = statement.name == "multicast_reduce";
  const std::string changed = change(
      statement, reduces ? fmt::format("{0} old, {0} element", type) : fmt::format("u32 lane, {} old", type));
  std::string arguments = call_arguments_.at(0);
  if (reduces) arguments += ", " + result_rows(statement);
  line(fmt::format("exec::{}_lanes<{}>(warp, step, {}, {}, {});", statement.name, type, call_mask_, arguments,
                   changed));
}

void BodyWriter::write_transfer(const Piece& piece) {
  const Stmt& statement = *piece.statements.front();
  if (is_texture(statement)) return write_texture(statement);
  if (is_multicast(statement)) return write_multicast(statement);
  std::vector<std::string> types;
  const bool tensor = statement.name.rfind("tensor_", 0) == 0;
  if (statement.value) types.push_back(unsigned_name(statement.type.bits()));
  if (statement.name == "tensor_load" || !tensor)
    types.push_back(space_name(statement.labels.space, statement.at));
  if (statement.from != ir::Space::None) types.push_back(space_name(statement.from, statement.at));
  if (!statement.text.empty()) types.push_back("exec::TensorMode::" + statement.text);
  std::string arguments;
  const auto list = [](auto begin, auto end) { return fmt::format("{{{}}}", fmt::join(begin, end, ", ")); };
  if (tensor && statement.name != "tensor_type") {
    const auto numbers = call_arguments_.begin() + 2;
    arguments = fmt::format("{}, {}, exec::TensorCoordinates{{{}, {}}}", call_arguments_[0],
                            call_arguments_[1], list(numbers, numbers + statement.part),
                            list(numbers + statement.part, call_arguments_.end()));
  } else {
    arguments = fmt::format("{}", fmt::join(call_arguments_, ", "));
  }
  if (statement.index >= 0) {
    const std::string rows = fmt::format("got_{}", arrays_++);
    line(fmt::format("alignas(64) u32 {}[32];", rows));
    declared_[rows] = "const u32*";
    writer_.name_local(statement.index, {rows + "[lane]", Machine{false, 32}, rows + "[lane]", 32});
    arguments += ", " + rows;
  }
  const std::string parameters = types.empty() ? "" : fmt::format("<{}>", fmt::join(types, ", "));
  if (statement.value) {
    const std::string type = unsigned_name(statement.type.bits());
    arguments += ", " + change(statement, fmt::format("{0} old, {0} element", type));
  }
  line(fmt::format("exec::{}_lanes{}(warp, step, {}, {});", statement.name, parameters, call_mask_,
                   arguments));
}

void BodyWriter::write_barrier(const Piece& piece) {
  const Stmt& statement = *piece.statements.front();
  const std::string arguments = fmt::format("{}", fmt::join(call_arguments_, ", "));
  if (statement.name == "cluster_arrive" || statement.name == "cluster_wait") {
    line(fmt::format("exec::barrier_{}(warp, step, mask);", statement.name));
    return;
  }
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
