#include "emulator/sched/apart/model.h"

#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

#include "emulator/kernel/forms/compute.h"

namespace wedjat::sched::apart {

using kernel::Form;
using kernel::OperandSpec;
using kernel::Operation;
using kernel::ValueKind;

namespace {

bool is_integer(const OperandSpec& operand) {
  return operand.kind == kernel::OperandKind::Register && operand.count == 1 && operand.parts == 1 &&
         operand.bits <= 64 &&
         (operand.value == ValueKind::Bits || operand.value == ValueKind::Unsigned ||
          operand.value == ValueKind::Signed);
}

// One result, and then one to three inputs.
bool has_shape(const Form& form) {
  if (form.level != kernel::Level::Thread || form.effects != 0 || form.full == nullptr) return false;
  if (form.operands < 2 || form.operands > 4) return false;
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& operand = form.operand[i];
    if (operand.kind != kernel::OperandKind::Register || operand.count != 1 || operand.bits > 64 ||
        operand.value == ValueKind::Pred || operand.value == ValueKind::None || operand.out != (i == 0) ||
        (i == 0 && operand.in))
      return false;
  }
  return true;
}

Wide number(std::uint64_t bits, Reading reading) {
  const Wide unsigned_number = bits;
  return reading.is_signed && (bits >> (reading.bits - 1) & 1) != 0
             ? unsigned_number - (Wide{1} << reading.bits)
             : unsigned_number;
}

// Modulo 2 to the 128.
Wide product(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}

// Nothing: the operation is not one of these, or leaves this open.
std::optional<Wide> expected(Operation operation, std::span<const Wide> in, unsigned bits) {
  switch (operation) {
    case Operation::copy:
    case Operation::conversion:
      return in[0];
    case Operation::sum:
      return in[0] + in[1];
    case Operation::difference:
      return in[0] - in[1];
    case Operation::product:
      return product(in[0], in[1]);
    case Operation::product_sum:
      return static_cast<Wide>(static_cast<unsigned __int128>(product(in[0], in[1])) +
                               static_cast<unsigned __int128>(in[2]));
    case Operation::negation:
      return -in[0];
    case Operation::minimum:
      return in[0] < in[1] ? in[0] : in[1];
    case Operation::maximum:
      return in[0] < in[1] ? in[1] : in[0];
    case Operation::conjunction:
      return in[0] & in[1];
    case Operation::disjunction:
      return in[0] | in[1];
    case Operation::left_shift:
      if (in[1] < 0 || in[1] >= bits) return {};
      return product(in[0], Wide{1} << in[1]);
    case Operation::right_shift:
      if (in[1] < 0 || in[1] >= bits) return {};
      return in[0] >> in[1];
    default:
      return {};
  }
}

std::size_t inputs_of(Operation operation) {
  switch (operation) {
    case Operation::copy:
    case Operation::conversion:
    case Operation::negation:
      return 1;
    case Operation::product_sum:
      return 3;
    default:
      return 2;
  }
}

// Whether it gives what the operation says, modulo 2 to the power of its bits, at the ends of the ranges.
bool holds(const Form& form, Operation operation) {
  const std::size_t inputs = form.operands - 1u;
  if (inputs != inputs_of(operation)) return false;
  for (unsigned i = 0; i < form.operands; ++i)
    if (!is_integer(form.operand[i])) return false;
  constexpr unsigned ends = 8;
  const auto end_of = [](unsigned which, unsigned bits) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - bits), middle = all / 2;
    return std::array<std::uint64_t, ends>{0, 1, 2, 5, middle, middle + 1, all, all - 1}[which];
  };
  const unsigned bits = form.operand[0].bits;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  bool tried = false;
  for (unsigned which = 0; which < ends * ends * ends; ++which) {
    std::array<std::uint64_t, 3> in{};
    std::array<Wide, 3> numbers{};
    for (unsigned i = 0, rest = which; i < inputs; ++i, rest /= ends) {
      const Reading reading = reading_of(form.operand[1 + i]);
      in[i] = end_of(rest % ends, reading.bits);
      numbers[i] = number(in[i], reading);
    }
    const auto right = expected(operation, std::span(numbers).first(inputs), bits);
    if (!right) continue;
    tried = true;
    const auto is = kernel::compute(form, std::span(in).first(inputs));
    if (((is ^ static_cast<std::uint64_t>(*right)) & mask) != 0) return false;
  }
  return tried;
}

Model make_model(const Form& form) {
  Model model;
  if (!has_shape(form)) return model;
  model.computes = true;
  model.bits = form.operand[0].bits;
  const Operation said = kernel::traits_of(form).operation;
  if (holds(form, said)) model.operation = said;
  return model;
}

}  // namespace

Reading reading_of(const OperandSpec& operand) { return {operand.bits, operand.value == ValueKind::Signed}; }

const Model& model_of(const Form& form) {
  static std::mutex mutex;
  static std::unordered_map<const Form*, Model> models;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = models.try_emplace(&form);
  if (is_new) place->second = make_model(form);
  return place->second;
}

}  // namespace wedjat::sched::apart
