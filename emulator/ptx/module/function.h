// Kernels and device functions: their interface, and their body once it is asked for (PTX
// ISA 5.1.6, 7.1, 10.2).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/ptx/module/operand.h"
#include "emulator/ptx/module/types.h"
#include "emulator/ptx/text/error.h"

namespace wedjat::ptx {

struct Body;
class Module;

/// A parameter or result of an entry, function or prototype.
struct Parameter {
  std::string_view name;  ///< `_` or empty in prototypes that do not name it
  Space space = Space::param;
  Type type = Type::b32;
  std::uint8_t vector_width = 1;
  std::uint32_t alignment = 1;
  bool is_array = false;
  std::uint64_t extent = 1;  ///< elements; 0 for the unsized array of a variadic function
  bool is_pointer = false;   ///< .ptr
  Space pointer_space = Space::generic;
  std::uint32_t pointer_alignment = 4;
  Location where;

  std::uint64_t size() const { return std::uint64_t{size_of(type)} * vector_width * extent; }
};

/// Directives between the header and the body. 0, false or empty: not written.
struct Directives {
  using Shape = std::array<std::uint32_t, 3>;  ///< missing dimensions are 1
  std::optional<Shape> maxntid, reqntid, reqnctapercluster;
  std::uint32_t minnctapersm = 0, maxnreg = 0, maxclusterrank = 0;
  std::optional<std::uint32_t> abi_preserve, abi_preserve_control;
  bool noreturn = false, explicitcluster = false, blocksareclusters = false;
  std::vector<std::string_view> pragmas;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> unified;
};

/// `P: .callprototype (results) _ (parameters)`
struct Prototype {
  std::string_view name;
  std::vector<Parameter> returns, parameters;
  Directives directives;
  Location where;
};

/// Declarations of one name are merged with its definition. Functions stay where they are in memory as long
/// as their module lives.
class Function {
 public:
  Function();
  ~Function();
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  std::string_view name;
  bool is_entry = false;
  Linkage linkage = Linkage::none;
  std::vector<Parameter> returns, parameters;
  Directives directives;
  bool has_body = false;
  /// `.alias name, target;` makes name, which has no body, mean target: its index in Module::functions, else
  /// kNone.
  std::uint32_t alias_of = kNone;
  Location where;  ///< of the definition if there is one

  const Module& module() const { return *module_; }
  /// The text between the braces, unparsed.
  std::string_view body_text() const { return body_text_; }
  /// Parsed when first asked for; any number of threads may ask. Throws Error if the text is no body, each
  /// time. Needs has_body.
  const Body& body() const;

 private:
  friend class ModuleBuilder;
  const Module* module_ = nullptr;
  std::string_view body_text_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const Body> body_;
};

}  // namespace wedjat::ptx
