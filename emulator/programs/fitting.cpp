#include "emulator/programs/fitting.h"

#include <algorithm>
#include <charconv>

#include "emulator/kernel/forms/traits.h"
#include "emulator/programs/pools.h"

namespace wedjat::programs {
namespace {

using kernel::Form;
using kernel::OperandKind;
using kernel::OperandSpec;
using kernel::Space;
using kernel::ValueKind;

template <class Each>
bool any_word(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (each(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool has_word(const Form& form, std::string_view wanted) {
  return any_word(form.text, '.', [&](std::string_view word) { return word == wanted; });
}

// Plain sm_90.
bool available(const Form& form) {
  if (form.ptx > ptx_version) return false;
  return form.targets.empty() || any_word(form.targets, ' ', [](std::string_view target) {
           unsigned number = 0;
           const auto [end, error] =
               std::from_chars(target.data() + 3, target.data() + target.size(), number);
           return error == std::errc() && end == target.data() + target.size() && number <= 90;
         });
}

// NaNs differ in sign and payload; these let them be seen.
bool shows_nans(const Form& form) { return has_word(form, "xorsign") || has_word(form, "oob"); }

bool known_space(Space space, Use use) {
  if (use == Use::tile || use == Use::arrive || use == Use::wait) return space == Space::Shared;
  return use != Use::compute && use != Use::warp &&
         (space == Space::Global || space == Space::Generic || space == Space::Shared ||
          space == Space::Local);
}

bool known_operand(const OperandSpec& operand, Use use) {
  if (operand.attached.what != kernel::Attach::None) return !operand.attached.required;
  if (operand.optional && !operand.paired) return true;  // left out
  switch (operand.kind) {
    case OperandKind::Predicate:
      return true;
    case OperandKind::Immediate:
      return use == Use::copy || (use == Use::compute && operand.bits == 8);
    case OperandKind::Register:
      return pool_of(operand) != nullptr;
    case OperandKind::Vector:
      return pool_of(operand) != nullptr && operand.value != ValueKind::Float && operand.count <= 4;
    case OperandKind::Fragment: {  // each register that is written is written once
      const Pool* const pool = pool_of(operand);
      return pool != nullptr && (!operand.out || operand.count <= pool->count);
    }
    case OperandKind::Address:
      return known_space(operand.space, use);
    default:
      return false;
  }
}

bool thread_fits(const Form& form, Use use) {
  using namespace kernel::effect;
  const std::uint32_t touches = form.effects & ~(can_fail | ordered);
  switch (use) {
    case Use::compute:
      return form.effects == 0;
    case Use::load:
      return touches == reads_memory;
    case Use::store:
      return touches == writes_memory && !has_floats(form);
    case Use::update:
      return touches == updates_memory && !has_floats(form);
    case Use::fence:
      return touches == fence && form.operands == 0;
    case Use::arrive:  // once, for this phase
      return touches == (reads_memory | updates_memory) && has_word(form, "arrive") &&
             !has_word(form, "expect_tx") && !has_word(form, "relaxed");
    case Use::wait:
      return (touches & waits) != 0 && !has_word(form, "relaxed");
    case Use::copy:
      return touches == (reads_memory | writes_memory) && (has_word(form, "ca") || has_word(form, "cg")) &&
             form.operands == 3;
    case Use::first_carry:
      return touches == writes_state;
    case Use::carry:
      return (touches & reads_state) != 0;
    default:
      return false;
  }
}

bool warp_fits(const Form& form, Use use) {
  using namespace kernel::effect;
  const std::uint32_t touches = form.effects & ~(can_fail | ordered);
  if (use == Use::warp)
    return form.sync_operand >= 0 && !has_floats(form) && (touches & ~(warp_sync | reads_other_lanes)) == 0;
  if ((touches & aligned) == 0) return false;
  const std::uint32_t memory = touches & (reads_memory | writes_memory | updates_memory);
  return use == Use::matrix ? memory == 0 : use == Use::tile && memory != 0;
}

}  // namespace

bool rounds(const Form& form) {
  return has_word(form, "rn") || has_word(form, "rz") || has_word(form, "rm") || has_word(form, "rp");
}

bool has_floats(const Form& form) {
  return std::any_of(form.operand, form.operand + form.operands,
                     [](const OperandSpec& operand) { return operand.value == ValueKind::Float; });
}

bool fits(const Form& form, Use use) {
  if (!available(form) || shows_nans(form)) return false;
  if (form.control != kernel::Control::None || form.semantics == kernel::Semantics::Mmio) return false;
  if (kernel::traits_of(form).has(kernel::trait::approximate | kernel::trait::read_only |
                                  kernel::trait::address | kernel::trait::undocumented))
    return false;
  if (!std::all_of(form.operand, form.operand + form.operands,
                   [&](const OperandSpec& operand) { return known_operand(operand, use); }))
    return false;
  switch (form.level) {
    case kernel::Level::Thread:
      return thread_fits(form, use);
    case kernel::Level::Warp:
      return warp_fits(form, use);
    case kernel::Level::Cta:  // all threads wait
      return use == Use::barrier && !has_word(form, "arrive") && !has_word(form, "cluster");
    default:
      return false;
  }
}

}  // namespace wedjat::programs
