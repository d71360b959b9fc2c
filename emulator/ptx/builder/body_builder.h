// The text of one function body -> Body.
#pragma once

#include <memory>

#include "emulator/ptx/builder/names.h"
#include "emulator/ptx/declarations/declarations.h"
#include "emulator/ptx/module/module.h"
#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {

class BodyBuilder {
 public:
  explicit BodyBuilder(const Function& function);
  /// Throws Error.
  std::unique_ptr<const Body> build();

 private:
  /// A name used before anything declares it: a label below, or a special register after all.
  struct Reference {
    std::string_view name;
    Location where;
    Entity entity;
  };

  // body_builder.cpp: statements and declarations
  void declare_parameters(const std::vector<Parameter>& list, Operand::Kind kind,
                          std::vector<std::uint32_t>& registers);
  void statement(const Grammar::StatementContext& statement);
  void block(const antlr4::Token* brace);
  void declaration(const Grammar::DeclarationContext& declaration);
  std::uint32_t add_registers(RegisterDeclaration declaration);
  void add_variables(const Grammar::DeclarationContext& declaration);
  void loc(const Grammar::LocContext& loc);
  void label(const antlr4::Token* name, const Grammar::LabelledContext* labelled);
  void branch_targets(std::string_view name, const Grammar::LabelledContext& list);
  void call_targets(std::string_view name, const Grammar::LabelledContext& list);
  void prototype(std::string_view name, const Grammar::LabelledContext& context);
  void declare(std::string_view name, Operand::Kind kind, std::size_t index, Location where);

  // instructions.cpp
  void instruction(const Grammar::StatementContext& statement);
  void call(const antlr4::Token* opcode, const Grammar::CallContext& call, Instruction& instruction);
  std::uint32_t mnemonic(const antlr4::Token* opcode, const std::vector<antlr4::Token*>& modifiers);
  void guard(const Grammar::StatementContext& statement, Instruction& instruction);
  /// Moves finished operands to the end of the body's; returns where they begin there.
  std::uint32_t keep(const std::vector<Operand>& operands);

  // operands.cpp
  Operand operand(const Grammar::OperandContext& context);
  Operand compound(Operand::Kind kind, const std::vector<Grammar::OperandContext*>& parts);
  Operand brackets(const Grammar::OperandContext& context);
  Operand expression(const Grammar::ExpressionContext& context);
  Operand address(const Grammar::ExpressionContext& context);
  Operand element(const Grammar::TermContext& term);
  Operand symbol(const Grammar::TermContext& term);
  Operand constant(const Grammar::ExpressionContext& context);
  bool is_pair(const Grammar::ExpressionContext& context) const;
  Operand pair(const Operand& first, const Operand& second);
  /// A name that may have a component or selector behind a dot.
  Operand name(const antlr4::Token* token, std::string_view suffix);
  void set_suffix(Operand& operand, std::string_view suffix, const antlr4::Token* where);
  std::uint16_t selector(std::string_view word, const antlr4::Token* where);

  // references.cpp
  Operand refer(std::string_view name, Location where);
  std::uint32_t add_reference(std::string_view name, Location where);
  void open_scope();
  void close_scope();
  /// Entities of references that nothing inside declares.
  void settle_reference(Reference& reference);
  void settle_operands();
  std::optional<Entity> find(std::string_view name) const;
  std::uint32_t special_register(std::string_view name);

  std::string_view text(const antlr4::Token* token) const { return text_of(source_, token); }
  Location location(const antlr4::Token* token) const { return source_.location(offset_of(token)); }
  [[noreturn]] void fail(const antlr4::Token* where, const std::string& message) const {
    source_.fail(offset_of(where), message);
  }
  std::uint32_t position() const { return static_cast<std::uint32_t>(body_.instructions.size()); }

  const Function& function_;
  const Module& module_;
  const Source& source_;
  std::unique_ptr<Body> owned_ = std::make_unique<Body>();
  Body& body_ = *owned_;
  Expressions expressions_;
  Declarations declarations_;
  Names names_;
  std::vector<Reference> references_;
  /// For each open scope the references made in it or below that are still open.
  std::vector<std::vector<std::uint32_t>> open_references_;
  std::unordered_map<std::string_view, std::uint32_t> mnemonics_;  ///< by spelling in the text
  std::unordered_map<std::string_view, std::uint32_t> special_registers_;
  std::unordered_map<std::string_view, std::uint16_t> selectors_;
};

}  // namespace wedjat::ptx
