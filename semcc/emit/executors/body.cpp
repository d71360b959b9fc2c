#include <fmt/format.h>

#include <algorithm>

#include "semcc/emit/executors/body_writer.h"
#include "semcc/emit/executors/executors.h"
#include "semcc/emit/executors/matrix.h"
#include "semcc/emit/executors/parts.h"

namespace semcc::emit {

using ir::Kind;
using ir::Op;
using ir::Stmt;

void BodyWriter::flush_lines() {
  for (const std::string& text : writer_.take_lines()) line(text);
}

void BodyWriter::find_kept_locals() {
  std::map<int, std::size_t> defined;
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    Visited visited;
    for (const Stmt* statement : pieces_[piece].statements) {
      const bool defines = statement->what == Stmt::What::Let || statement->what == Stmt::What::Transfer;
      if (defines && statement->index >= 0) defined[statement->index] = piece;
      walk(*statement, visited, [&](const ir::Expr& expr) {
        // The arguments of a call are computed in the loop before it, an update's new value in the call.
        const bool own = expr.index == statement->old_local || expr.index == statement->element_local;
        if (expr.op == Op::Local && !own && defined.count(expr.index) != 0 &&
            (defined[expr.index] != piece || pieces_[piece].what != Piece::What::Lanes))
          kept_.insert(expr.index);
      });
    }
  }
}

std::string BodyWriter::array(const std::string& type, const std::string& name) {
  std::string unique = fmt::format("{}_{}", name, arrays_++);
  before_.push_back(fmt::format("alignas(64) {} {}[32];", type, unique));
  declared_[unique] = fmt::format("const {}*", type);
  return unique;
}

// A truth value of each lane; the result is one bit for each, after the loop.
std::string BodyWriter::truth(const std::string& name, const std::string& value) {
  const std::string bytes = fmt::format("{}_{}", name, arrays_++);
  before_.push_back(fmt::format("alignas(32) u8 {}[32];", bytes));
  line(fmt::format("{}[lane] = u8({});", bytes, value));
  truths_ = true;
  return fmt::format("lane_bits({})", bytes);
}

void BodyWriter::let(const Stmt& statement) {
  const ir::Local& local = form_.locals.at(statement.index);
  const std::string type = writer_.stored_type(local), name = local_name(statement.index);
  Code code{name, local.type.kind == Kind::Integer ? machine_for(local.range, statement.at) : Machine{}};
  const std::string value = writer_.value(statement.value);
  flush_lines();
  if (!statement.scalar && kept_.count(statement.index) != 0) {
    const std::string rows = array(type, name);
    line(fmt::format("{}[lane] = {};", rows, value));
    code.text = rows + "[lane]";
  } else {
    line(fmt::format("const {} {} = {};", type, name, value));
    if (statement.scalar) declared_[name] = type;
  }
  writer_.name_local(statement.index, code);
}

void BodyWriter::require(const Stmt& statement) {
  // One lane does not run where it does not hold.
  if (lanes_ == 1) return;
  const std::string holds = writer_.pred(statement.value);
  flush_lines();
  std::string why;
  for (const char c : statement.text)
    why += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  const auto fails = [&](const char* lanes) {
    return fmt::format("exec::{}(warp, step, {}, \"{}\");", statement.name, lanes, why);
  };
  if (statement.scalar) {
    line(fmt::format("if (!{}) {}", holds, fails("mask")));
    return;
  }
  after_.push_back(fmt::format("if (const u32 failed = ~{} & mask; failed != 0) {}", truth("holds", holds),
                               fails("failed")));
}

// All assignments to one row: whole, or the parts of a packed register.
void BodyWriter::assign(const std::vector<const Stmt*>& parts) {
  const Stmt& first = *parts.front();
  if (first.what == Stmt::What::AssignState) {
    const std::string value = writer_.pred(first.value);
    flush_lines();
    after_.push_back(
        fmt::format("warp.carry = blend_bits<full>(mask, {}, warp.carry);", truth("state", value)));
    return;
  }
  const ir::Operand& operand = form_.operands.at(first.index);
  const std::string row = writer_.row(first.index, place_of(operand, first.part).element);
  const std::string type = writer_.element_type(first.index);
  if (operand.type.kind == Kind::Pred) {
    const std::string value = writer_.pred(first.value);
    flush_lines();
    after_.push_back(fmt::format("{0}[0] = blend_bits<full>(mask, {1}, {0}[0]);", row,
                                 truth(identifier(operand.name), value)));
    return;
  }
  std::string value;
  for (const Stmt* part : parts) {
    const int index = place_of(operand, part->part).part;
    std::string bits = writer_.bits_of(part->value, index < 0 ? operand.type.bits() : operand.type.width);
    if (index > 0) bits = fmt::format("{}({}) << {}", type, bits, index * operand.type.width);
    value += (value.empty() ? "" : " | ") + bits;
  }
  if (parts.size() > 1) value = fmt::format("{}({})", type, value);
  flush_lines();
  const std::string name = fmt::format("{}_value", row);
  if (apart_) {
    const std::string rows = array(type, name);
    line(fmt::format("{}[lane] = {};", rows, value));
    stores_.push_back(fmt::format("{0}[lane] = blend<full, {1}>(mask, {3}, {2}[lane], {0}[lane]);", row, type,
                                  rows, thread()));
  } else {
    line(fmt::format("const {} {} = {};", type, name, value));
    stores_.push_back(
        fmt::format("{0}[lane] = blend<full, {1}>(mask, {3}, {2}, {0}[lane]);", row, type, name, thread()));
  }
}

// How the loop of these lines is to become vector instructions. Unrolled before it is vectorised, a loop of
// 32 would stay scalar.
std::string BodyWriter::pragma_of(const std::vector<std::string>& lines) const {
  // The loop over lanes inside is the one to vectorise; words of 128 bits have no vectors.
  if (writer_.nested || writer_.wide) return "#pragma clang loop vectorize(disable) unroll(disable)";
  const bool in_64 = std::any_of(lines.begin(), lines.end(), [](const std::string& text) {
    return text.find("u64") != std::string::npos || text.find("s64") != std::string::npos;
  });
  const bool of_64 = std::any_of(form_.operands.begin(), form_.operands.end(),
                                 [](const ir::Operand& operand) { return operand.type.bits() > 32; });
  // Lanes are not to be counted by what only lies between short operands and results.
  if (!truths_ && in_64 && !of_64)
    return "#pragma clang loop vectorize(assume_safety) vectorize_width(16) unroll(disable)";
  return vectorised(truths_);
}

void BodyWriter::begin_loop(const std::vector<const Stmt*>& statements) {
  writer_.begin(statements);
  before_.clear();
  after_.clear();
  stores_.clear();
  truths_ = false;
  outer_ = std::exchange(out_, {});
  indent_ = 2;
}

void BodyWriter::write_loop(const std::vector<std::string>& lines, const std::string& pragma) {
  if (lines.empty()) return;
  if (lanes_ > 1) line(pragma);
  line(fmt::format("for (u32 lane = 0; lane < {}; ++lane) {{", lanes_ * parts_));
  for (const std::string& text : lines) line(text);
  line("}");
}

void BodyWriter::end_loop() {
  const std::vector<std::string> loop = std::exchange(out_, std::move(outer_));
  indent_ = 0;
  for (const std::string& text : before_) line(text);
  write_loop(loop, pragma_of(loop));
  for (const std::string& text : after_) line(text);
  if (apart_) {
    std::vector<std::string> lines;
    for (const std::string& store : stores_) lines.push_back("  " + store);
    write_loop(lines, vectorised(false));
  }
}

void BodyWriter::write_lanes(const Piece& piece, const Piece* next) {
  std::vector<const Stmt*> statements = piece.statements;
  if (next != nullptr) statements.insert(statements.end(), next->statements.begin(), next->statements.end());
  begin_loop(statements);
  std::map<std::pair<int, int>, std::vector<const Stmt*>> assigned;
  for (const Stmt* statement : piece.statements) {
    if (statement->what == Stmt::What::Let)
      let(*statement);
    else if (statement->what == Stmt::What::Require)
      require(*statement);
    else if (statement->what == Stmt::What::AssignState)
      assign({statement});
    else
      assigned[{statement->index, place_of(form_.operands.at(statement->index), statement->part).element}]
          .push_back(statement);
  }
  for (const auto& [row, parts] : assigned) assign(parts);
  if (next != nullptr) arguments_of(*next);
  if (!apart_)
    for (const std::string& store : stores_) line(store);
  end_loop();
}

void BodyWriter::write_once(const Piece& piece) {
  writer_.begin(piece.statements);
  before_.clear();
  after_.clear();
  stores_.clear();
  std::vector<const Stmt*> assigned;
  for (const Stmt* statement : piece.statements) {
    if (statement->what == Stmt::What::Let)
      let(*statement);
    else if (statement->what == Stmt::What::Require)
      require(*statement);
    else
      assigned.push_back(statement);
  }
  for (const Stmt* statement : assigned) {
    const ir::Operand& operand = form_.operands.at(statement->index);
    const std::string row = writer_.row(statement->index, place_of(operand, statement->part).element);
    if (operand.type.kind == Kind::Pred) {
      const std::string value = writer_.pred(statement->value);
      flush_lines();
      line(fmt::format("{0}[0] = blend_bits<full>(mask, {1} ? ~u32(0) : u32(0), {0}[0]);", row, value));
      continue;
    }
    const std::string type = writer_.element_type(statement->index);
    const std::string value = writer_.bits_of(statement->value, operand.type.bits());
    flush_lines();
    const std::string name = fmt::format("{}_value", row);
    line(fmt::format("const {} {} = {};", type, name, value));
    line(fmt::format(
        "for (u32 lane = 0; lane < 32; ++lane) {0}[lane] = blend<full, {1}>(mask, lane, {2}, {0}[lane]);",
        row, type, name));
  }
}

// One host thread runs a cluster with all its CTAs, so order among them needs nothing but the compiler's; and
// only what is sequentially consistent needs the processor to wait.
void BodyWriter::write_fence(const ir::Stmt& stmt) {
  const ir::MemoryLabels& labels = stmt.labels;
  const bool waits = labels.sem == "sc" && labels.scope != "cta" && labels.scope != "cluster";
  line(fmt::format("std::atomic_thread_fence(std::memory_order_{});", waits ? "seq_cst" : "acq_rel"));
}

void BodyWriter::write_piece(const Piece& piece, const Piece* next) {
  switch (piece.what) {
    case Piece::What::Lanes:
      return write_lanes(piece, next);
    case Piece::What::Once:
      return write_once(piece);
    case Piece::What::Read:
      return write_read(piece);
    case Piece::What::Write:
      return write_write(piece);
    case Piece::What::Update:
      return write_update(piece);
    case Piece::What::Transfer:
      return write_transfer(piece);
    case Piece::What::Barrier:
      return write_barrier(piece);
    case Piece::What::Matrix:
      return write_matrix(*piece.statements.front());
    case Piece::What::Fence:
      return write_fence(*piece.statements.front());
  }
}

std::string BodyWriter::prelude() const {
  std::string text;
  for (const auto& [operand, element] : writer_.rows) {
    ExprWriter names(form_);
    std::string type = writer_.row_type(operand);
    text += fmt::format("{} const {} = exec::row<", type, names.row(operand, element));
    type.pop_back();
    text += fmt::format("{}>(warp, step, {});\n", type, writer_.row_index(operand, element));
  }
  for (const std::string& special : writer_.specials)
    text += fmt::format("const u64 {0} = exec::special_{0}(warp);\n", identifier(special));
  if (writer_.reads_carry) text += "const u32 carry = warp.carry;\n";
  return text;
}

Declared BodyWriter::declared() {
  Declared all = declared_;
  for (const auto& [operand, element] : writer_.rows)
    all[writer_.row(operand, element)] = writer_.row_type(operand);
  for (const std::string& special : writer_.specials) all[identifier(special)] = "u64";
  all["carry"] = all["mask"] = "u32";
  for (int i = 0; i < static_cast<int>(form_.matrices.size()); ++i) {
    all[fmt::format("m{}", i)] = matrix_element(form_, i) + "* __restrict";
    for (const char* verb : {"read", "write"}) all[tile_name(verb, i)] = "u64* __restrict";
  }
  return all;
}

Body BodyWriter::write() {
  // A call is preceded by the loop that computes its arguments, if only an empty one.
  std::vector<Piece> all;
  const auto takes_arguments = [](const Piece& piece) {
    return piece.what != Piece::What::Lanes && piece.what != Piece::What::Once &&
           piece.what != Piece::What::Fence && piece.what != Piece::What::Matrix;
  };
  for (Piece& piece : pieces_) {
    if (takes_arguments(piece) && (all.empty() || all.back().what != Piece::What::Lanes))
      all.push_back({Piece::What::Lanes, {}});
    all.push_back(std::move(piece));
  }
  pieces_ = std::move(all);
  find_kept_locals();
  direct_ = direct_rows(form_, pieces_);
  const bool words = write_words();
  for (std::size_t i = 0; i < pieces_.size() && !words; ++i) {
    const bool only_masked = !direct_.empty() && i + 1 == pieces_.size();
    const std::size_t start = out_.size();
    write_piece(pieces_[i],
                i + 1 < pieces_.size() && takes_arguments(pieces_[i + 1]) ? &pieces_[i + 1] : nullptr);
    if (only_masked) {
      for (std::size_t at = start; at < out_.size(); ++at)
        if (out_[at][0] != '#') out_[at].insert(0, "  ");
      out_.insert(out_.begin() + static_cast<std::ptrdiff_t>(start), "if constexpr (!full) {");
      line("}");
    }
  }
  Body body;
  body.text = prelude();
  for (const std::string& text : out_) body.text += text + "\n";
  body.pieces = shared_;
  if (!form_.matrices.empty()) body.declared = declared();
  body.tables = writer_.tables;
  body.specials = writer_.specials;
  const bool transfers = std::any_of(pieces_.begin(), pieces_.end(),
                                     [](const Piece& piece) { return piece.what == Piece::What::Transfer; });
  body.same_for_all = form_.effects.updates_memory || !form_.matrices.empty() || transfers;
  body.rounding = host_rounding(form_);
  return body;
}

Body executor_body(const ir::Form& form) {
  if (const auto part = one_part(form)) return BodyWriter(part->form, part->parts).write();
  return BodyWriter(form, 1).write();
}

namespace {

// Machine values that are the same in every launch.
bool is_constant(const std::string& special) {
  return special.starts_with("window.shared.") || special.starts_with("window.local.") ||
         special == "window.param.base";
}

// What it does to memory is one update of a word, and all it requires is that the word is aligned.
bool only_updates(const ir::Form& form, const std::vector<Piece>& pieces) {
  const Piece* update = nullptr;
  for (const Piece& piece : pieces) {
    if (piece.what == Piece::What::Lanes) continue;
    if (piece.what != Piece::What::Update || update != nullptr || piece.statements.front()->guard)
      return false;
    update = &piece;
  }
  return update != nullptr && std::all_of(form.body.begin(), form.body.end(), [&](const Stmt& statement) {
           return statement.what != Stmt::What::Require || says_aligned(statement, *update);
         });
}

bool only_computes(const ir::Form& form, const std::vector<Piece>& pieces) {
  return !form.effects.can_fail && std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) {
    return piece.what == Piece::What::Lanes;
  });
}

}  // namespace

std::optional<Body> lane_body(const ir::Form& form) {
  if (form.level != ir::Level::Thread || crosses_lanes(form)) return std::nullopt;
  const std::vector<Piece> pieces = plan(form);
  const bool updates = only_updates(form, pieces);
  if (!updates && !only_computes(form, pieces)) return std::nullopt;
  const auto part = one_part(form);
  Body body = part ? BodyWriter(part->form, part->parts, 1).write() : BodyWriter(form, 1, 1).write();
  if (updates ? body.rounding != ir::Rounding::None : !body.pieces.empty()) return std::nullopt;
  for (const std::string& special : body.specials)
    if (!is_constant(special)) return std::nullopt;
  return body;
}

}  // namespace semcc::emit
