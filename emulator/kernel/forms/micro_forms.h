// Forms that lowering itself needs: moves, widening, narrowing, address sums, negated predicates. They are
// rows of the form table like any other: what a move means is said once, in the semantics files.
#pragma once
#include <stdexcept>

#include "emulator/kernel/forms/form_table.h"

namespace wedjat::kernel {

/// A move or conversion no instruction makes: of 128-bit registers to narrower ones, say.
class NoSuchForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All functions throw NoSuchForm.
class MicroForms {
 public:
  explicit MicroForms(const FormTable& table) : table_(table) {}

  /// `bytes` of one lane; 0: predicate. Operands: to, from.
  const Form& move(unsigned bytes);
  /// Integer to integer: chopped, or extended by the sign of the narrower type. Operands: to, from.
  const Form& convert(unsigned to_bytes, unsigned from_bytes, bool is_signed);
  /// Operands: sum, a, b; all of so many bytes.
  const Form& add(unsigned bytes);
  /// Of 4 or 8 bytes. Operands: to, from, how many bits (u32).
  const Form& shift_left(unsigned bytes);
  /// Operands: sum, a, b.
  const Form& add_saturating_s32();
  /// "min" or "max". Operands: result, a, b.
  const Form& limit_u32(std::string_view which);
  /// "lt", "gt" …. Operands: predicate, its opposite, a, b.
  const Form& compare_s32(std::string_view how);
  /// Operands: to, from.
  const Form& not_pred();
  /// Operands: generic address, address in .shared.
  const Form& shared_to_generic();
  /// Of one lane's local memory. load: to, address. store: address, from.
  const Form& load_local(unsigned bytes);
  const Form& store_local(unsigned bytes);

 private:
  const Form& find(std::string_view key, unsigned operands);
  const FormTable& table_;
};

}  // namespace wedjat::kernel
