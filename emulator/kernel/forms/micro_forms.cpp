#include "emulator/kernel/forms/micro_forms.h"

#include <fmt/format.h>

namespace wedjat::kernel {

const Form& MicroForms::find(std::string_view key, unsigned operands) {
  for (const Form& form : table_.with_key(key)) {
    bool plain = form.operands == operands;
    for (unsigned i = 0; plain && i < operands; ++i) {
      const OperandKind kind = form.operand[i].kind;
      plain = form.operand[i].count == 1 && kind != OperandKind::Immediate;
    }
    if (plain) return form;
  }
  throw NoSuchForm(fmt::format("it needs '{}', which is no instruction", key));
}

const Form& MicroForms::move(unsigned bytes) {
  return bytes == 0 ? find("mov.pred", 2) : find(fmt::format("mov.b{}", 8 * bytes), 2);
}

const Form& MicroForms::convert(unsigned to_bytes, unsigned from_bytes, bool is_signed) {
  const char letter = is_signed ? 's' : 'u';
  return find(fmt::format("cvt.{}{}.{}{}", letter, 8 * to_bytes, letter, 8 * from_bytes), 2);
}

const Form& MicroForms::add(unsigned bytes) { return find(fmt::format("add.u{}", 8 * bytes), 3); }
const Form& MicroForms::shift_left(unsigned bytes) { return find(fmt::format("shl.b{}", 8 * bytes), 3); }
const Form& MicroForms::add_saturating_s32() { return find("add.s32.sat", 3); }
const Form& MicroForms::limit_u32(std::string_view which) { return find(fmt::format("{}.u32", which), 3); }
const Form& MicroForms::compare_s32(std::string_view how) { return find(fmt::format("setp.s32.{}", how), 4); }
const Form& MicroForms::not_pred() { return find("not.pred", 2); }
const Form& MicroForms::shared_to_generic() { return find("cvta.u64.shared", 2); }
const Form& MicroForms::load_local(unsigned bytes) { return find(fmt::format("ld.b{}.local", 8 * bytes), 2); }
const Form& MicroForms::store_local(unsigned bytes) {
  return find(fmt::format("st.b{}.local", 8 * bytes), 2);
}

}  // namespace wedjat::kernel
