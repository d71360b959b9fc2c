// Several modules -> one program whose names are settled (PTX ISA 10.6).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/module/module.h"

namespace wedjat::ptx {

/// A function or variable of one of the linked modules.
struct SymbolId {
  std::uint32_t module = kNone;  ///< which of the modules given to link()
  std::uint32_t index = kNone;   ///< into its functions or variables
  bool operator==(const SymbolId&) const = default;
};

/// Functions the CUDA device runtime provides: they have no definition in PTX and need none.
bool is_device_runtime(std::string_view function);

/// Refers to the modules, which must outlive it.
class Program {
 public:
  /// Throws Error naming both places if a name is defined twice, or if declaration and definition disagree in
  /// kind. A strong definition wins over weak ones, the first weak one over later ones, the largest .common
  /// over smaller.
  static Program link(std::span<const Module* const> modules);

  const Module& module(std::uint32_t index) const { return *modules_[index]; }
  std::uint32_t module_count() const { return static_cast<std::uint32_t>(modules_.size()); }

  /// Where the name used as functions[index] (variables[index]) of a module is defined, aliases followed. The
  /// answer for a device runtime function without definition is its declaration (is_device_runtime of its
  /// name). Throws Error naming the place of the declaration if nothing defines it. An `.extern .shared`
  /// array without size is its own definition: its size is the launch's.
  SymbolId function(std::uint32_t module, std::uint32_t index) const;
  SymbolId variable(std::uint32_t module, std::uint32_t index) const;

  /// By name among what all modules see: .visible, .weak, .common and entries. {kNone, kNone} if there is
  /// none.
  SymbolId find_entry(std::string_view name) const;
  SymbolId find_variable(std::string_view name) const;

 private:
  void add_functions(std::uint32_t module);
  void add_variables(std::uint32_t module);
  static void check_agreement(const Module& declaring, const Function& declared, const Module& defining,
                              const Function& definition);

  std::vector<const Module*> modules_;
  std::unordered_map<std::string_view, SymbolId> functions_, variables_;
};

}  // namespace wedjat::ptx
