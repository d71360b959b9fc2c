// The names a body declares, by scope (PTX ISA 4.4, 5.4.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/ptx/module/operand.h"

namespace wedjat::ptx {

/// What a name stands for: index counts what kind says.
struct Entity {
  Operand::Kind kind = Operand::Kind::none;
  std::uint32_t index = 0;
};

/// Blocks may nest this deep.
inline constexpr std::size_t kMaxScopes = 200;

class Names {
 public:
  Names() : scopes_(1) {}

  void open() { scopes_.emplace_back(); }
  void close();
  std::size_t depth() const { return scopes_.size(); }

  /// False if the innermost scope has the name already.
  bool declare(std::string_view name, Entity entity);
  /// Declares prefix0 to prefix<count-1>, with indices from first.first on.
  bool declare_range(std::string_view prefix, Entity first, std::uint32_t count);

  /// The innermost declaration.
  std::optional<Entity> find(std::string_view name) const;
  /// Only what the innermost scope itself declares.
  std::optional<Entity> find_here(std::string_view name) const;

 private:
  struct Declared {
    std::uint32_t scope = 0;
    Entity entity;
    std::uint32_t count = 0;  ///< of a range
  };
  struct Scope {
    std::vector<std::string_view> names, prefixes;
  };
  /// The number at the end of a name and what is before it; empty if there is none.
  static std::optional<std::pair<std::string_view, std::uint32_t>> split_number(std::string_view name);
  const Declared* find_range(std::string_view name, Entity& entity) const;

  std::vector<Scope> scopes_;
  /// Innermost last.
  std::unordered_map<std::string_view, std::vector<Declared>> names_, ranges_;
  /// Numbered names declared one by one, by what is before the number: a range must not repeat them.
  std::unordered_map<std::string_view, std::vector<std::pair<std::uint32_t, std::uint32_t>>> numbered_;
};

}  // namespace wedjat::ptx
