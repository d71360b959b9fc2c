#include "semcc/emit/smt/smt.h"

#include <fmt/format.h>

#include "semcc/emit/smt/expr.h"

namespace semcc::emit {
namespace {

using ir::Kind;
using What = ir::Stmt::What;

std::string sort_of(const ir::Type& type) {
  return type.kind == Kind::Pred ? "Bool" : fmt::format("(_ BitVec {})", type.bits());
}

// A parameter is declared as its register's bits, and read as the type says.
std::string reading(const std::string& name, const ir::Type& type) {
  if (type.kind != Kind::Integer) return name;
  return type.is_signed ? name : fmt::format("((_ zero_extend 1) {})", name);
}

std::string declared(const std::map<std::string, std::string>& free) {
  std::string out;
  for (const auto& [name, sort] : free) out += fmt::format("(declare-const {} {})\n", name, sort);
  return out;
}

std::string claim_text(const ir::Family& family, const ir::Prove& claim) {
  std::vector<std::string> locals;
  std::string parameters;
  for (const auto& [name, type] : claim.params) {
    parameters += fmt::format("(declare-const {} {})\n", name, sort_of(type));
    locals.push_back(reading(name, type));
  }
  SmtTerms terms({}, locals, nullptr);
  const std::string result = terms.term(claim.claim);
  return fmt::format("; {}: {}, line {}\n{}{}(assert (not\n{}))\n(check-sat)\n(get-model)\n", family.name,
                     claim.name, claim.at.line, parameters, declared(terms.free()), terms.around(result));
}

// The bits of a destination, of all its parts.
struct Destination {
  std::vector<std::string> parts;
  std::string whole() const {
    std::string out;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) out += " " + *part;
    return parts.size() == 1 ? parts[0] : "(concat" + out + ")";
  }
};

bool is_function(const ir::Form& form) {
  const ir::Effects& e = form.effects;
  return form.level == ir::Level::Thread && !e.reads_memory && !e.writes_memory && !e.updates_memory &&
         !e.reads_state && !e.writes_state && !e.barrier && !e.fence;
}

// What is assigned, cut to the register.
std::string assigned(SmtTerms& terms, const ir::Stmt& stmt, const ir::Type& type) {
  const std::string value = terms.term(stmt.value);
  if (type.kind == Kind::Pred) return value;
  const unsigned bits = stmt.part < 0 ? type.bits() : type.width, from = SmtTerms::width(*stmt.value);
  if (from == bits) return value;
  if (from > bits) return fmt::format("((_ extract {} 0) {})", bits - 1, value);
  return fmt::format("((_ sign_extend {}) {})", bits - from, value);
}

std::string function_text(const ir::Form& form) {
  std::string parameters;
  std::vector<std::string> operands;
  std::size_t destinations = 0;
  for (const ir::Operand& operand : form.operands) {
    operands.push_back(operand.in ? "|" + operand.name + "|" : "");
    if (operand.in) parameters += fmt::format("(|{}| {}) ", operand.name, sort_of(operand.type));
    destinations += operand.out;
    if (operand.count != 1) throw NoTerm("a vector");
  }
  SmtTerms terms(operands, std::vector<std::string>(form.locals.size()), &form);
  std::map<int, Destination> results;
  for (const ir::Stmt& stmt : form.body) {
    if (stmt.what == What::Let && stmt.index >= 0)
      terms.set_local(static_cast<std::size_t>(stmt.index), terms.term(stmt.value));
    if (stmt.what != What::Assign) continue;
    const ir::Type& type = form.operands.at(static_cast<std::size_t>(stmt.index)).type;
    Destination& result = results[stmt.index];
    const std::size_t part = stmt.part < 0 ? 0 : static_cast<std::size_t>(stmt.part);
    result.parts.resize(std::max(result.parts.size(), part + 1));
    result.parts[part] = assigned(terms, stmt, type);
  }
  std::string out;
  for (const auto& [name, sort] : terms.free()) {
    // Constants of their own for each form.
    parameters += fmt::format("({} {}) ", name, sort);
  }
  for (const auto& [index, result] : results) {
    const ir::Operand& operand = form.operands.at(static_cast<std::size_t>(index));
    const std::string name = destinations > 1 ? form.text() + " " + operand.name : form.text();
    out += fmt::format("(define-fun |{}| ({}) {}\n{})\n", name, parameters, sort_of(operand.type),
                       terms.around(result.whole()));
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> emit_smt(const ir::Program& program) {
  std::map<std::string, std::string> files;
  for (const ir::Family& family : program.families) {
    for (const ir::Prove& claim : family.proofs) {
      std::string types;
      for (const auto& [name, type] : claim.params) types += "." + type.name();
      const std::string name =
          fmt::format("prove/{}/{}.{}{}.smt2", family.chapter, family.name, claim.name, types);
      files[name] = claim_text(family, claim);
      files["claims.txt"] += name + "\n";
    }
    for (const ir::Form& form : family.forms) {
      if (!is_function(form)) continue;
      try {
        files[fmt::format("functions/{}.smt2", form.opcode)] += function_text(form);
      } catch (const NoTerm&) {
        // Left out, as the header says: whoever wants to prove something about it finds no function.
      }
    }
  }
  return files;
}

}  // namespace semcc::emit
