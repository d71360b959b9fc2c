// Declarations of the grammar -> variables, parameters and directives, checked for what no target allows.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "emulator/ptx/declarations/expression.h"
#include "emulator/ptx/module/body.h"
#include "emulator/ptx/module/module.h"
#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {

/// Bytes of the largest variable: beyond any GPU's memory, and sums of a few stay within 64 bits.
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1} << 48;
/// Most variables `name<n>` may declare outside .reg.
inline constexpr std::uint64_t kMaxVariableRange = 1u << 16;

class Declarations {
 public:
  /// names keeps the spellings that `name<n>` generates; it must outlive the variables.
  Declarations(const Source& source, const Version& version, std::deque<std::string>& names)
      : source_(source), version_(version), expressions_(source), names_(names) {}

  /// Fails if the word at hand came with a later .version than the module's.
  void require(const antlr4::Token* where, std::string_view word) const;

  /// Appends the variables of a declaration that is not .reg.
  void variables(const Grammar::DeclarationContext& declaration, Linkage linkage, bool is_module_scope,
                 std::vector<Variable>& out);
  /// The declarations of a `.reg`, first not yet set.
  std::vector<RegisterDeclaration> registers(const Grammar::DeclarationContext& declaration);
  static bool is_register(const Grammar::DeclarationContext& declaration, const Source& source);

  std::vector<Parameter> parameters(const Grammar::ParametersContext* list, bool is_unsized_allowed);
  /// What stands before the name and after it, of an entry, a function or a prototype.
  enum class Owner { entry, function, prototype };
  void directives(const std::vector<Grammar::DirectiveContext*>& list, Owner owner, Directives& out);
  void attributes(const std::vector<Grammar::AttributeContext*>& list, Directives& out);
  void pragma(const Grammar::PragmaContext& pragma, std::vector<std::string_view>& out);

  /// A name that declares something: no dots, not `_`.
  std::string_view declared_name(const antlr4::Token* token) const;

 private:
  struct Specified;
  Specified specifiers(const std::vector<Grammar::SpecifierContext*>& list, const antlr4::Token* space);
  void word(const antlr4::Token* token, Specified& out);
  void pointer_space(const antlr4::Token* token, Specified& out);
  void attribute(const Grammar::AttributeContext& attribute, Specified& out);
  Space space(const antlr4::Token* token, bool is_module_scope) const;
  std::uint32_t alignment(const antlr4::Token* number) const;
  void extents(const std::vector<Grammar::DimensionContext*>& dimensions, Variable& variable) const;
  void initialize(const Grammar::DeclaratorContext& declarator, Variable& variable);
  void check(const Variable& variable, std::size_t where) const;
  void make_texture(Variable& variable, std::size_t where) const;
  void expand(const antlr4::Token* count, const Variable& variable, std::vector<Variable>& out);
  Parameter parameter(const Grammar::ParameterContext& parameter);
  void directive(const Grammar::DirectiveContext& directive, Owner owner, Directives& out);
  [[noreturn]] void fail(const antlr4::Token* where, const std::string& message) const;
  std::string_view text(const antlr4::Token* token) const { return text_of(source_, token); }

  const Source& source_;
  const Version& version_;
  Expressions expressions_;
  std::deque<std::string>& names_;
};

}  // namespace wedjat::ptx
