// PTX text -> module. No instruction is known by name here: whether one is legal is kernel/'s question.
//
// The text is kept: every string_view below points into it. Bodies are parsed when first needed, so opening a
// module costs little more than reading it once.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/module/body.h"
#include "emulator/ptx/module/function.h"
#include "emulator/ptx/module/variable.h"
#include "emulator/ptx/module/version.h"
#include "emulator/ptx/text/error.h"
#include "emulator/ptx/text/source.h"

namespace wedjat::ptx {

/// `.file index "name"[, timestamp, size]`
struct DebugFile {
  std::uint32_t index = 0;
  std::string_view name;
  std::uint64_t timestamp = 0, size = 0;
};

/// `.section name { ... }`, kept as written.
struct Section {
  std::string_view name;
  std::string_view text;
  Location where;
};

class Module {
 public:
  /// Reads PTX text. name is what errors call the file. Throws Error.
  static std::unique_ptr<const Module> parse(std::string name, std::string text);

  Version version;
  std::vector<std::string_view> targets;  ///< "sm_90a", "texmode_independent", "debug" ...
  unsigned address_size = 64;             ///< bits: always 64, also where the text does not say
  std::vector<Variable> variables;        ///< of module scope, one a name
  std::deque<Function> functions;         ///< one a name
  std::vector<std::string_view> pragmas;
  std::vector<DebugFile> files;
  std::vector<Section> sections;
  std::deque<std::string> generated_names;  ///< of variables declared as `name<n>`

  const std::string& name() const { return source_.name(); }
  const Source& source() const { return source_; }

  /// kNone if this module has no such name.
  std::uint32_t find_function(std::string_view name) const;
  std::uint32_t find_variable(std::string_view name) const;

  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

 private:
  friend class ModuleBuilder;
  explicit Module(Source source) : source_(std::move(source)) {}

  Source source_;
  std::unordered_map<std::string_view, std::uint32_t> function_index_, variable_index_;
};

/// Throws Error if an initial value refers to a name the module does not have.
void check_relocations(const Module& module, const Variable& variable);

}  // namespace wedjat::ptx
