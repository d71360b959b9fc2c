#include "semcc/emit/facts/accesses.h"

#include <algorithm>

namespace semcc::emit {
namespace {

// The address operand an address is computed from; null if there is none.
const ir::Expr* address_operand(const ir::Form& form, const ir::ExprPtr& expr) {
  if (expr == nullptr) return nullptr;
  if (expr->op == ir::Op::Operand && form.operands.at(expr->index).kind == ir::OperandKind::Address)
    return expr.get();
  if (expr->op == ir::Op::Local)
    for (const ir::Stmt& stmt : form.body)
      if (stmt.what == ir::Stmt::What::Let && stmt.index == expr->index && stmt.value != expr)
        return address_operand(form, stmt.value);
  for (const ir::ExprPtr& arg : expr->args)
    if (const ir::Expr* found = address_operand(form, arg)) return found;
  return nullptr;
}

// The operand a number of bytes is; -1 if it is computed.
int size_operand(const ir::ExprPtr& expr) {
  if (expr->op == ir::Op::Operand) return expr->index;
  const bool converts = expr->op == ir::Op::Wrap || expr->op == ir::Op::ToInteger;
  return converts ? size_operand(expr->args[0]) : -1;
}

bool names_row(const ir::ExprPtr& expr) {
  if (expr->op == ir::Op::BoundIndex) return expr->index == 0;
  return std::any_of(expr->args.begin(), expr->args.end(), names_row);
}

Access& computed_in(ir::Space space, Accesses& found) {
  return found[computed_access + static_cast<int>(space)];
}

// Each lane names a row of the tile, whose columns follow each other in memory, or it is computed where they
// lie.
void add_tile(const ir::Form& form, const ir::Stmt& stmt, Accesses& found) {
  const bool reads = stmt.what == ir::Stmt::What::ReadTile;
  if (is_computed_tile(form, stmt)) {
    Access& access = computed_in(stmt.labels.space, found);
    (reads ? access.reads : access.writes) = true;
    return;
  }
  const ir::Expr* operand = address_operand(form, stmt.address);
  const ir::Matrix& tile = form.matrices.at(static_cast<std::size_t>(reads ? stmt.index : stmt.matrices[0]));
  Access& access = found[operand->index];
  (reads ? access.read : access.written) = tile.columns * stmt.type.bits() / 8;
  (reads ? access.reads : access.writes) = true;
  access.lanes = tile.rows;
}

void add_tensor(const ir::Stmt& stmt, Accesses& found) {
  const bool loads = stmt.name == "tensor_load";
  computed_in(loads ? ir::Space::Global : stmt.from, found).reads = true;
  Access& to = computed_in(stmt.labels.space, found);
  (stmt.name == "tensor_reduce" ? to.updates : to.writes) = true;
}

void add_copy(const ir::Form& form, const ir::Stmt& stmt, Accesses& found) {
  // What is read may be less than what is written, and computed: then it is that much at most.
  const int written = size_operand(stmt.args.back()), read = size_operand(stmt.args[2]);
  if (written < 0) return;
  for (const unsigned side : {0u, 1u}) {
    const ir::Expr* operand = address_operand(form, stmt.args[side]);
    if (operand == nullptr) continue;
    Access& access = found[operand->index];
    access.size = side == 1 && read >= 0 ? read : written;
    (side == 1 ? access.reads : stmt.name == "reduce" ? access.updates : access.writes) = true;
  }
}

// Texels lie where the object says that a handle names; what follows a place in a surface is done there.
bool reads_texture(const ir::Stmt& stmt) {
  return stmt.what == ir::Stmt::What::Transfer &&
         (stmt.name == "texture_read" || stmt.name == "texture_gather");
}
bool finds_texel(const ir::Stmt& stmt) {
  return stmt.what == ir::Stmt::What::Transfer &&
         (stmt.name == "surface_bytes" || stmt.name == "surface_texel");
}

}  // namespace

Accesses accesses(const ir::Form& form) {
  using What = ir::Stmt::What;
  Accesses found;
  const bool in_surface = std::any_of(form.body.begin(), form.body.end(), finds_texel);
  for (const ir::Stmt& stmt : form.body) {
    if (stmt.what == What::ReadTile || stmt.what == What::WriteTile) add_tile(form, stmt, found);
    if (stmt.what == What::Transfer && (stmt.name == "copy" || stmt.name == "reduce"))
      add_copy(form, stmt, found);
    if (stmt.what == What::Transfer && stmt.name.starts_with("tensor_") && stmt.name != "tensor_type")
      add_tensor(stmt, found);
    if (reads_texture(stmt)) computed_in(ir::Space::Global, found).reads = true;
    const bool write = stmt.what == What::MemoryWrite;
    const bool let = stmt.what == What::Let && stmt.value != nullptr;
    const bool read = let && stmt.value->op == ir::Op::MemoryRead;
    const bool update = let && stmt.value->op == ir::Op::MemoryUpdate;
    if (!read && !write && !update) continue;
    const ir::Expr* operand = address_operand(form, stmt.address);
    if (operand == nullptr && !in_surface) continue;
    Access& access = operand == nullptr ? computed_in(stmt.labels.space, found) : found[operand->index];
    if (operand != nullptr)
      (read ? access.read : write ? access.written : access.updated) += (stmt.type.bits() + 7) / 8;
    (read ? access.reads : write ? access.writes : access.updates) = true;
  }
  return found;
}

bool is_computed_tile(const ir::Form& form, const ir::Stmt& stmt) {
  const ir::Expr* const operand = address_operand(form, stmt.address);
  return operand == nullptr || !std::any_of(operand->args.begin(), operand->args.end(), names_row);
}

}  // namespace semcc::emit
