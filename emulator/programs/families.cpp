#include "emulator/programs/families.h"

#include <algorithm>
#include <charconv>

#include "emulator/kernel/forms/traits.h"

namespace wedjat::programs {
namespace {

using kernel::Form;
using kernel::OperandKind;
using kernel::OperandSpec;
using kernel::Space;
using kernel::ValueKind;

// Why some are left out: copysign shows the sign of a NaN, fns is undefined beyond 31, addresses and policies
// are numbers of the machine, elect chooses as it likes.
struct Weight {
  std::string_view opcode;
  unsigned weight;
  Need need = Need::nothing;
};
constexpr Weight computing[] = {{"add", 8, Need::rounding},
                                {"sub", 6, Need::rounding},
                                {"mul", 8, Need::rounding},
                                {"mad", 6, Need::rounding},
                                {"fma", 8, Need::rounding},
                                {"cvt", 10},
                                {"setp", 6},
                                {"set", 3},
                                {"selp", 4},
                                {"slct", 3},
                                {"min", 5},
                                {"max", 5},
                                {"mov", 4},
                                {"neg", 3},
                                {"abs", 3},
                                {"rcp", 2},
                                {"sqrt", 2},
                                {"div", 4, Need::divisor},
                                {"rem", 3, Need::divisor},
                                {"testp", 2, Need::unguarded},
                                {"shl", 4},
                                {"shr", 4},
                                {"shf", 4},
                                {"and", 3},
                                {"or", 3},
                                {"xor", 3},
                                {"not", 2},
                                {"cnot", 2},
                                {"lop3", 4},
                                {"prmt", 4},
                                {"bfe", 3, Need::byte},
                                {"bfi", 3, Need::byte},
                                {"bfind", 2},
                                {"brev", 2},
                                {"popc", 2},
                                {"clz", 2},
                                {"bmsk", 2},
                                {"szext", 2},
                                {"sad", 2},
                                {"mul24", 2},
                                {"mad24", 2},
                                {"dp4a", 2},
                                {"dp2a", 2},
                                {"vadd", 1},
                                {"vsub", 1},
                                {"vmin", 1},
                                {"vmax", 1},
                                {"vabsdiff", 1},
                                {"vset", 1},
                                {"vshl", 1},
                                {"vshr", 1},
                                {"vmad", 1},
                                {"vadd2", 1},
                                {"vsub2", 1},
                                {"vavrg2", 1},
                                {"vmin2", 1},
                                {"vmax2", 1},
                                {"vset2", 1},
                                {"vadd4", 1},
                                {"vsub4", 1},
                                {"vavrg4", 1},
                                {"vmin4", 1},
                                {"vmax4", 1},
                                {"vset4", 1},
                                {"vabsdiff2", 1},
                                {"vabsdiff4", 1}};
constexpr Weight loading[] = {{"ld", 1}};
constexpr Weight storing[] = {{"st", 1}};
constexpr Weight updating[] = {{"atom", 3}, {"red", 1}};
constexpr Weight exchanging[] = {{"shfl", 6}, {"vote", 4}, {"match", 2}, {"redux", 3}};

std::span<const Weight> weights(Use use) {
  switch (use) {
    case Use::compute:
      return computing;
    case Use::load:
      return loading;
    case Use::store:
      return storing;
    case Use::update:
      return updating;
    case Use::warp:
      break;
  }
  return exchanging;
}

template <class Each>
bool any_word(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (each(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

// Plain sm_90 with .version 8.3.
bool available(const Form& form) {
  if (form.ptx > 803) return false;
  return form.targets.empty() || any_word(form.targets, ' ', [](std::string_view target) {
           unsigned number = 0;
           const auto [end, error] =
               std::from_chars(target.data() + 3, target.data() + target.size(), number);
           return error == std::errc() && end == target.data() + target.size() && number <= 90;
         });
}

// NaNs differ in sign and payload; these let them be seen.
bool shows_nans(const Form& form) {
  return any_word(form.text, '.', [](std::string_view word) { return word == "xorsign" || word == "oob"; });
}

bool rounds(const Form& form) {
  return any_word(form.text, '.', [](std::string_view word) {
    return word == "rn" || word == "rz" || word == "rm" || word == "rp";
  });
}

bool has_floats(const Form& form) {
  return std::any_of(form.operand, form.operand + form.operands,
                     [](const OperandSpec& operand) { return operand.value == ValueKind::Float; });
}

bool known_value(const OperandSpec& operand) {
  if (operand.value != ValueKind::Float)
    return operand.bits == 16 || operand.bits == 32 || operand.bits == 64 ||
           (operand.bits == 8 && operand.extends);
  for (const std::string_view format : {"f16", "bf16", "f32", "f64"})
    if (operand.format == format) return true;
  return false;
}

bool known_operand(const OperandSpec& operand, Use use) {
  if (operand.attached.what != kernel::Attach::None) return !operand.attached.required;
  if (operand.optional && !operand.paired) return true;  // left out
  switch (operand.kind) {
    case OperandKind::Predicate:
      return true;
    case OperandKind::Immediate:
      return use == Use::compute && operand.bits == 8;
    case OperandKind::Register:
      return known_value(operand);
    case OperandKind::Vector:
      return known_value(operand) && operand.value != ValueKind::Float && operand.count <= 4;
    case OperandKind::Address:
      return use != Use::compute && use != Use::warp &&
             (operand.space == Space::Global || operand.space == Space::Generic ||
              operand.space == Space::Shared || operand.space == Space::Local);
    default:
      return false;
  }
}

bool fits(const Form& form, Use use) {
  using namespace kernel::effect;
  if (form.control != kernel::Control::None || form.semantics == kernel::Semantics::Mmio) return false;
  if (kernel::traits_of(form).has(kernel::trait::approximate | kernel::trait::read_only |
                                  kernel::trait::address))
    return false;
  const std::uint32_t touches = form.effects & ~(can_fail | ordered);
  switch (use) {
    case Use::compute:
      return form.level == kernel::Level::Thread && form.effects == 0;
    case Use::load:
      return form.level == kernel::Level::Thread && touches == reads_memory;
    case Use::store:
      return form.level == kernel::Level::Thread && touches == writes_memory && !has_floats(form);
    case Use::update:
      return form.level == kernel::Level::Thread && touches == updates_memory && !has_floats(form);
    case Use::warp:
      return form.level == kernel::Level::Warp && form.sync_operand >= 0 && !has_floats(form) &&
             (touches & ~(warp_sync | reads_other_lanes)) == 0;
  }
  return false;
}

std::vector<Family> make(Use use) {
  std::vector<Family> all;
  for (const Weight& weight : weights(use)) all.push_back({weight.opcode, weight.weight, weight.need, {}});
  for (const Form& form : kernel::all_forms()) {
    const auto family =
        std::find_if(all.begin(), all.end(), [&](const Family& each) { return each.opcode == form.opcode; });
    if (family == all.end() || !fits(form, use) || !available(form) || shows_nans(form)) continue;
    if (family->need == Need::rounding && has_floats(form) && !rounds(form)) continue;
    const auto unknown = [&](const OperandSpec& operand) { return !known_operand(operand, use); };
    if (std::any_of(form.operand, form.operand + form.operands, unknown)) continue;
    family->forms.push_back(&form);
  }
  std::erase_if(all, [](const Family& family) { return family.forms.empty(); });
  return all;
}

}  // namespace

const std::vector<Family>& families(Use use) {
  static const std::vector<Family> all[] = {make(Use::compute), make(Use::load), make(Use::store),
                                            make(Use::update), make(Use::warp)};
  return all[static_cast<int>(use)];
}

}  // namespace wedjat::programs
