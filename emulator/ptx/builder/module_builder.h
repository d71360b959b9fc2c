// Items of module scope -> Module.
#pragma once

#include <memory>

#include "emulator/ptx/declarations/declarations.h"
#include "emulator/ptx/module/module.h"
#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {

class ModuleBuilder {
 public:
  explicit ModuleBuilder(Source source);
  /// Throws Error.
  std::unique_ptr<const Module> build();

 private:
  void item(const Grammar::ModuleItemContext& item);
  void version(const antlr4::Token* number);
  void target(const Grammar::ModuleItemContext& item);
  void file(const Grammar::ModuleItemContext& item);
  void section(const Grammar::ModuleItemContext& item);
  void alias(const Grammar::ModuleItemContext& item);
  Linkage linkage(const antlr4::Token* word) const;

  void declaration(const Grammar::DeclarationContext& declaration, Linkage linkage);
  void add_variable(Variable variable);

  void function(const Grammar::FunctionContext& function, Linkage linkage);
  void interface(const Grammar::FunctionContext& context, Function& out);
  void check_parameter_space(const Function& entry) const;
  /// The text between the braces that begin at open.
  std::string_view between(const antlr4::Token* open) const;
  Function& function_named(std::string_view name);
  void check_same_interface(const Function& old, const Function& now) const;
  void merge(Function& old, Function& now) const;
  void check_whole() const;

  std::string_view text(const antlr4::Token* token) const { return text_of(source_, token); }
  [[noreturn]] void fail(const antlr4::Token* where, const std::string& message) const {
    source_.fail(offset_of(where), message);
  }

  std::unique_ptr<Module> module_;
  const Source& source_;
  std::vector<BraceRange> ranges_;
  Expressions expressions_;
  Declarations declarations_;
  std::size_t items_ = 0;
  Location debug_target_;  ///< where `debug` stands in .target; line 0 if nowhere
};

}  // namespace wedjat::ptx
