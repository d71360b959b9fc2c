#include "emulator/sched/apart/steps.h"

#include <algorithm>
#include <array>

#include "emulator/kernel/forms/accesses.h"
#include "emulator/kernel/forms/compute.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/sched/apart/conditions.h"
#include "emulator/sched/apart/model.h"

namespace wedjat::sched::apart {

using kernel::FormAccess;
using kernel::OperandSpec;
using kernel::Operation;
using kernel::Space;
using kernel::Step;
using kernel::ValueKind;

namespace {

constexpr std::uint32_t row_of_guard(std::uint16_t guard) { return (guard - 1u) * 64u; }

bool is_of_device(Space space) { return space == Space::Global || space == Space::Generic; }

unsigned bytes_of(const OperandSpec& spec) { return spec.value == ValueKind::Pred ? 0 : spec.bits / 8; }

// Calls each(operand, row) for every element of every operand.
template <class Each>
void for_rows(const Step& step, const Each& each) {
  const std::uint32_t* row = step.row;
  for (unsigned operand = 0; operand < step.form->operands; ++operand)
    for (unsigned element = 0; element < step.form->operand[operand].count; ++element) each(operand, *row++);
}

// Who counts up to a number, and asks whether it is there, comes from below.
Fact without_hole(const Fact& fact) {
  if (!fact.hole || fact.form.terms().size() != 1) return fact;
  const Term& term = fact.form.terms().front();
  const Wide rounds = fact.range.least / term.factor;
  if (rounds * term.factor != fact.range.least || rounds <= 0) return fact;
  return {Linear::of(term.symbol), {0, rounds - 1}};
}

void forget_results(const Step& step, State& state) {
  for_rows(step, [&](unsigned operand, std::uint32_t row) {
    const OperandSpec& spec = step.form->operand[operand];
    if (!spec.out || row == kernel::sink_row) return;
    if (spec.value == ValueKind::Pred)
      state.set(row, Condition{});
    else
      state.set(row, bytes_of(spec), spec.bits <= 32 ? Known(in(Reading{spec.bits}.range())) : anything);
  });
}

// Of an operation that its model vouches for, on numbers as the operands take them.
Known apply(Operation operation, std::span<const Known> a, unsigned bits, const Arithmetic& here) {
  switch (operation) {
    case Operation::copy:
    case Operation::conversion:
      return a[0];
    case Operation::sum:
      return here.sum(a[0], a[1]);
    case Operation::difference:
      return here.sum(a[0], a[1], -1);
    case Operation::product:
      return here.product(a[0], a[1]);
    case Operation::product_sum:
      return here.sum(here.product(a[0], a[1]), a[2]);
    case Operation::negation:
      return here.sum(constant(0), a[0], -1);
    case Operation::left_shift:
      if (!a[1] || !a[1]->is_constant() || a[1]->least.base < 0 || a[1]->least.base >= bits) return anything;
      return here.product(a[0], constant(Wide{1} << a[1]->least.base));
    case Operation::right_shift:
      if (!a[1] || !a[1]->is_constant() || a[1]->least.base < 0 || a[1]->least.base >= bits) return anything;
      return here.shifted_right(a[0], static_cast<unsigned>(a[1]->least.base));
    case Operation::minimum:
    case Operation::maximum: {
      if (!a[0] || !a[1]) return anything;
      const Range x = here.range_of(*a[0]), y = here.range_of(*a[1]);
      const bool less = operation == Operation::minimum;
      return in(less ? Range{std::min(x.least, y.least), std::min(x.most, y.most)}
                     : Range{std::max(x.least, y.least), std::max(x.most, y.most)});
    }
    case Operation::conjunction:
      for (const Known& mask : {a[0], a[1]})
        if (mask && mask->is_constant() && mask->least.base >= 0) return in({0, mask->least.base});
      return anything;
    case Operation::disjunction:
      for (const unsigned which : {0u, 1u})
        if (a[0] && a[1] && here.has_free_bits(*a[which], *a[1 - which])) return here.sum(a[0], a[1]);
      return anything;
    default:
      return anything;
  }
}

// Whether the low bits of its result depend on those of the input alone.
bool is_of_low_bits(Operation operation, unsigned input) {
  switch (operation) {
    case Operation::copy:
    case Operation::conversion:
    case Operation::sum:
    case Operation::difference:
    case Operation::product:
    case Operation::product_sum:
    case Operation::negation:
      return true;
    case Operation::left_shift:
      return input == 0;
    default:
      return false;
  }
}

Known result_of(const Step& step, const State& state, const Symbols& symbols) {
  const kernel::Form& form = *step.form;
  const Model& model = model_of(form);
  if (!model.computes) return anything;
  const Arithmetic here(state.facts, symbols);
  std::array<Known, 3> numbers;
  std::array<std::uint64_t, 3> bits{};
  const std::size_t inputs = form.operands - 1u;
  bool all_constant = true;
  for (unsigned i = 0; i < inputs; ++i) {
    const Reading reading = reading_of(form.operand[1 + i]);
    const Known known = state.value(step.row[1 + i], reading.bits / 8);
    // Where only the low bits of what goes in matter, any number that has them will do.
    const bool any = model.bits <= reading.bits && is_of_low_bits(model.operation, i);
    numbers[i] = any && known ? known : here.read(known, reading);
    all_constant = all_constant && known && known->is_constant();
    if (known && known->is_constant()) bits[i] = static_cast<std::uint64_t>(known->least.base);
  }
  if (all_constant) return constant_of(kernel::compute(form, std::span(bits).first(inputs)), model.bits);
  return apply(model.operation, numbers, model.bits, here);
}

}  // namespace

bool Steps::assume(State& state, std::uint16_t guard, bool holds) const {
  if (guard == 0) return holds;
  const Condition* const known = state.condition(row_of_guard(guard));
  if (known == nullptr) return true;
  if (known->always) return *known->always == holds;
  const auto facts = holds ? known->when_true : known->when_false;
  for (const Fact& fact : facts) state.facts.add(guesses ? without_hole(fact) : fact, symbols_);
  return true;
}

void Steps::touch(const Step& step, const State& state) {
  const kernel::Form& form = *step.form;
  const auto accesses = kernel::accesses_of(form);
  constexpr std::uint32_t of_memory =
      kernel::effect::reads_memory | kernel::effect::writes_memory | kernel::effect::updates_memory;
  if (accesses.empty() && (form.effects & of_memory) != 0) throw Unknown{};
  for (const FormAccess& access : accesses) {
    const bool computed = access.operand == FormAccess::computed;
    const Space space = computed ? access.space : form.operand[access.operand].space;
    if (space == Space::None) throw Unknown{};
    if (!is_of_device(space)) continue;
    if (computed || access.bytes == 0) throw Unknown{};
    std::uint32_t row = kernel::sink_row;
    for_rows(step, [&](unsigned operand, std::uint32_t at) { row = operand == access.operand ? at : row; });
    const Arithmetic here(state.facts, symbols_);
    const Known address = here.read(state.value(row, 8), {64, false});
    const bool writes = access.writes || access.updates;
    if (!address && writes) throw Unknown{};
    if (!address) {
      touched.push_back({.bytes = Wide{1} << 64, .step = step.id, .indirect = true});
      continue;
    }
    Touched bytes{.base = address->least.base,
                  .bytes = address->slack + access.bytes,
                  .digits = state.facts.digits_of(address->least, symbols_),
                  .writes = writes,
                  .step = step.id,
                  .indirect = !address->is_exact()};
    // A CTA that goes there alone is told by that.
    for (std::size_t s = 0; s < symbols_.size(); ++s) {
      const auto index = static_cast<std::uint8_t>(s);
      const Linear symbol = Linear::of(index);
      if (symbols_[s].kind != Symbol::Kind::cta || address->least.factor_of(index) != 0) continue;
      if (const Range range = state.facts.range_of(symbol, symbols_); range.span() == 0)
        bytes.digits.push_back({symbol, 0, range});
    }
    touched.push_back(std::move(bytes));
  }
}

void Steps::run(const Step& step, State& state) {
  if (step.flags & kernel::step_flag::system) return run_system(step, state);
  if (step.form == nullptr) throw Unknown{};
  const bool negated = (step.flags & kernel::step_flag::guard_negated) != 0;
  if (step.guard == 0) return run_unguarded(step, state);
  State inside = state;
  if (!assume(inside, step.guard, !negated)) return;
  run_unguarded(step, inside);
  Facts before = state.facts;
  state = inside.or_else(state, symbols_);
  state.facts = std::move(before);
}

void Steps::run_unguarded(const Step& step, State& state) {
  if (!guesses) touch(step, state);
  const kernel::Form& form = *step.form;
  const bool has_result = form.operands > 0 && form.operand[0].out && step.row[0] != kernel::sink_row;
  const bool is_predicate = has_result && form.operand[0].value == ValueKind::Pred;
  const Known result = has_result && !is_predicate ? result_of(step, state, symbols_) : anything;
  const std::vector<Written> conditions =
      is_predicate ? conditions_of(step, state, symbols_, guesses) : std::vector<Written>{};
  forget_results(step, state);
  if (result) state.set(step.row[0], form.operand[0].bits / 8, result);
  for (const Written& written : conditions) state.set(written.row, written.condition);
}

void Steps::run_system(const Step& step, State& state) {
  switch (static_cast<kernel::SystemOp>(step.flags >> 8)) {
    case kernel::SystemOp::Refresh:
      return state.set(step.row[0], step.row[2], anything);
    case kernel::SystemOp::Alloca:
    case kernel::SystemOp::StackSave:
      return state.set(step.row[0], 8, anything);
    case kernel::SystemOp::AssertFail:
    case kernel::SystemOp::StackRestore:
    case kernel::SystemOp::Nanosleep:
    case kernel::SystemOp::Breakpoint:
      return;
    case kernel::SystemOp::Vprintf:
    case kernel::SystemOp::Malloc:
    case kernel::SystemOp::Free:
      throw Unknown{};
  }
}

}  // namespace wedjat::sched::apart
