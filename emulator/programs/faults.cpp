#include "emulator/programs/faults.h"

#include <algorithm>

namespace wedjat::programs {
namespace {

using kernel::Form;
using kernel::OperandKind;

std::string_view last_word(std::string_view text) { return text.substr(text.rfind('.') + 1); }

/// Of `set`: results and sources have a type each, in the end of its text.
std::string_view source_type(const Form& form) { return last_word(form.text); }
std::string_view result_type(const Form& form) {
  return last_word(form.text.substr(0, form.text.rfind('.')));
}

bool is_float(std::string_view type) { return type.starts_with('f') || type.starts_with("bf"); }
bool has_two(std::string_view type) { return type.ends_with("x2"); }
bool is_half(std::string_view type) { return type.ends_with("16"); }

}  // namespace

// set_guard.ptx, simd_guard.ptx; of `testp` the emulator knows it (guard_lost of the profile).
bool loses_guard(const Form& form) {
  if (form.opcode == "testp") return true;
  if (form.opcode == "set") {
    const std::string_view result = result_type(form), source = source_type(form);
    return is_float(result) ? !has_two(result) : is_half(source) && !is_half(result);
  }
  return form.text == "vadd4.u32.u32.u32.add" || form.text == "vsub4.u32.u32.u32.add";
}

// setp_never_compiled.ptx
bool hangs_under_guard(const Form& form) { return form.opcode == "setp" && has_two(last_word(form.text)); }

// slct_literal.ptx
bool decides_wrongly(const Form& form) { return form.opcode == "slct" && last_word(form.text) == "s32"; }

// set_half_to_word.ptx
bool leaves_more(const Form& form) {
  return form.opcode == "set" && is_half(result_type(form)) && is_half(source_type(form)) &&
         is_float(source_type(form));
}

// mma_e4m3_overlap.ptx
bool writes_early(const Form& form) {
  return form.opcode == "mma" && (form.text.find(".e4m3.") != std::string_view::npos ||
                                  form.text.find(".e5m2.") != std::string_view::npos);
}

// mma_e4m3_literal.ptx: A and B, four numbers a register.
bool misreads_literals(const Form& form, const kernel::OperandSpec& operand) {
  return writes_early(form) && operand.in && !operand.out && operand.parts == 4;
}

// cvt_e4m3_beside.ptx
bool takes_place_beside(const Form& form) {
  return form.opcode == "cvt" && (result_type(form) == "e4m3x2" || result_type(form) == "e5m2x2");
}

// set_known_predicate.ptx
bool inverts_condition(const Form& form) {
  return form.opcode == "set" && source_type(form) == "f64" &&
         std::any_of(form.operand, form.operand + form.operands,
                     [](const auto& operand) { return operand.kind == OperandKind::Predicate; });
}

// setp_ftz_guard.ptx
bool forgets_to_flush(const Form& form) { return form.opcode == "setp" && form.text.ends_with(".ftz.f32"); }

// rem_unread.ptx
bool crashes_of_literal(const Form& form) {
  return form.text.starts_with("testp.") && form.text.ends_with(".f64");
}

// cvt_s8_twice.ptx
bool extends_twice(const Form& form) {
  return form.opcode == "cvt" && form.operand[0].bits <= 16 &&
         (form.text.ends_with(".s8") || form.text.find(".s8.") != std::string_view::npos);
}

// bar_red_in_branch.ptx
bool reduces_again(const Form& form) {
  return (form.opcode == "bar" || form.opcode == "barrier") &&
         form.text.find(".red") != std::string_view::npos && last_word(form.text) == "pred";
}

// bfe_beyond.ptx
bool extracts_beyond(const Form& form) { return form.text == "bfe.s32"; }

// sqrt_in_called.ptx
bool fails_in_functions(const Form& form) {
  return (form.opcode == "sqrt" || form.opcode == "div" || form.opcode == "rcp") &&
         is_float(last_word(form.text));
}

// shfl_predicate.ptx
bool hides_divergence(const Form& form) {
  return form.opcode == "shfl" && form.text.find(".bfly") != std::string_view::npos;
}

// lop3_known_predicate.ptx: the first source behind both results.
bool forgets_literal(const Form& form, unsigned operand) {
  return form.opcode == "lop3" && operand == 2 && form.operand[1].paired;
}

// lop3_twice.ptx
bool confuses_names(const Form& form) { return form.opcode == "lop3"; }

// shift_by_set.ptx, store_of_set.ptx, shift_by_cnot.ptx, shift_by_tf32.ptx, sub_cc_of_abs.ptx
const Pool* pool_of_misread(const Form& form) {
  if (form.text == "abs.s64") return &twice;
  if (form.text == "cnot.b32" || (form.opcode == "cvt" && form.text.ends_with(".tf32.f32"))) return &single;
  if (form.opcode != "set") return nullptr;
  const std::string_view result = result_type(form);
  return result == "f32" ? &single : result == "f16" ? &half : result == "bf16" ? &brain : nullptr;
}

// atomic_in_loop.ptx; a generic address may be one of shared memory, for which the same is made.
bool fails_in_loops(const Form& form) {
  return std::any_of(form.operand, form.operand + form.operands, [&](const auto& operand) {
    return operand.kind == OperandKind::Address &&
           (operand.space == kernel::Space::Shared || operand.space == kernel::Space::Generic) &&
           last_word(form.text).ends_with("64");
  });
}

// madc_hi_after_literals.ptx
bool loses_carry_of_literals(const Form& form) {
  return form.opcode == "madc" && form.text.find(".hi") != std::string_view::npos &&
         last_word(form.text).ends_with("64");
}

}  // namespace wedjat::programs
