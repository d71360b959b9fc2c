// Initial values of a variable -> bytes and relocations (PTX ISA 5.4.4).
#pragma once

#include "emulator/ptx/declarations/expression.h"
#include "emulator/ptx/module/variable.h"
#include "emulator/ptx/module/version.h"
#include "emulator/ptx/text/parser.h"

namespace wedjat::ptx {

/// Sets data, relocations, properties and has_initializer of a variable whose type and extents are set, and
/// its first extent where the text leaves it open. Throws Error.
class Initializer {
 public:
  Initializer(const Source& source, const Version& version, Variable& variable)
      : source_(source), version_(version), expressions_(source), variable_(variable) {}

  /// `= 3`
  void set_scalar(const Grammar::ExpressionContext& value);
  /// `= {...}`: the text from behind the '{' at open; to the '}' that ends it. Long lists of plain numbers
  /// never see the ANTLR parser.
  void set_list(std::size_t begin, std::size_t end);

 private:
  /// Levels of braces the variable's shape has: extents, and one for a vector.
  std::size_t levels() const { return variable_.extents.size() + (variable_.vector_width > 1 ? 1 : 0); }
  std::uint64_t count_at(std::size_t level) const;
  std::uint64_t stride_at(std::size_t level) const;

  bool scan_numbers(std::size_t begin, std::size_t end);
  void fill(const Grammar::InitializerContext& list, std::size_t level, std::uint64_t offset);
  void set_properties(const Grammar::InitializerContext& list);
  void store(const Grammar::ExpressionContext& value, std::uint64_t offset);
  void store_symbol(const Grammar::ExpressionContext& value, const Grammar::TermContext& term,
                    std::uint64_t offset);
  void store_masked(const Grammar::TermContext& term, std::uint64_t offset);
  /// The symbol, generic() and addend of `a+4` or `generic(a)+4`.
  Relocation relocation(const Grammar::ExpressionContext& value, std::uint64_t offset) const;
  void store_constant(const Constant& constant, std::uint64_t offset, std::size_t where);
  void put(std::uint64_t bits, unsigned size, std::uint64_t offset);
  /// Room for an element of a level; where is what an error points at.
  void claim(std::uint64_t index, std::size_t level, std::size_t where) const;
  void settle_open_extent(std::uint64_t count, std::size_t where);

  const Source& source_;
  const Version& version_;
  Expressions expressions_;
  Variable& variable_;
};

}  // namespace wedjat::ptx
