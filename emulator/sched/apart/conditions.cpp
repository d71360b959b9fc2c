#include "emulator/sched/apart/conditions.h"

#include <algorithm>

#include "emulator/kernel/forms/traits.h"
#include "emulator/sched/apart/model.h"

namespace wedjat::sched::apart {

using kernel::OperandSpec;
using kernel::Operation;
using kernel::Relation;
using kernel::ValueKind;

namespace {

constexpr Wide beyond = Wide{1} << 100;

bool is_number(const OperandSpec& operand) {
  return operand.parts == 1 && operand.count == 1 && operand.bits <= 64 &&
         (operand.value == ValueKind::Bits || operand.value == ValueKind::Unsigned ||
          operand.value == ValueKind::Signed);
}

Relation opposite(Relation relation) {
  switch (relation) {
    case Relation::eq:
      return Relation::ne;
    case Relation::ne:
      return Relation::eq;
    case Relation::lt:
      return Relation::ge;
    case Relation::ge:
      return Relation::lt;
    case Relation::le:
      return Relation::gt;
    case Relation::gt:
      return Relation::le;
    case Relation::none:
      break;
  }
  return Relation::none;
}

// Where a - b lies, or is not.
std::optional<Fact> difference_is(Relation relation, const Value& a, const Value& b) {
  Linear form = a.least;
  if (!form.add(b.least, -1)) return {};
  const Wide base = form.base;
  form.base = 0;
  const Wide least = -a.slack - base, most = b.slack - base;
  switch (relation) {
    case Relation::eq:
      return Fact{form, {least, most}};
    case Relation::ne:
      if (!a.is_exact() || !b.is_exact()) return {};
      return Fact{form, {-base, -base}, true};
    case Relation::lt:
      return Fact{form, {-beyond, most - 1}};
    case Relation::le:
      return Fact{form, {-beyond, most}};
    case Relation::gt:
      return Fact{form, {least + 1, beyond}};
    case Relation::ge:
      return Fact{form, {least, beyond}};
    case Relation::none:
      break;
  }
  return {};
}

std::optional<bool> decided(Relation relation, const Range& a, const Range& b) {
  switch (relation) {
    case Relation::lt:
      return a.most < b.least ? std::optional(true) : a.least >= b.most ? std::optional(false) : std::nullopt;
    case Relation::le:
      return a.most <= b.least ? std::optional(true) : a.least > b.most ? std::optional(false) : std::nullopt;
    case Relation::eq:
      if (a.most < b.least || b.most < a.least) return false;
      if (a.span() == 0 && b.span() == 0) return true;
      return {};
    case Relation::none:
      return {};
    default: {
      const auto other = decided(opposite(relation), a, b);
      return other ? std::optional(!*other) : std::nullopt;
    }
  }
}

// An unsigned comparison that tells negative numbers, too: they are as large as can be.
std::optional<Fact> within(Relation relation, const Known& a, const Known& b, const Arithmetic& here) {
  if (!a || !b || !b->is_constant()) return {};
  constexpr Wide half = Wide{1} << 31;
  const Wide bound = b->least.base + (relation == Relation::le ? 1 : 0);
  if ((relation != Relation::lt && relation != Relation::le) || bound <= 0 || bound > half) return {};
  if (!here.range_of(*a).within({-half, half - 1})) return {};
  return Fact{[&] {
                Linear form = a->least;
                form.base = 0;
                return form;
              }(),
              {-a->slack - a->least.base, bound - 1 - a->least.base}};
}

Condition compare(Relation relation, const Known& a, const Known& b, Reading reading, const Arithmetic& here,
                  bool guesses) {
  Condition result;
  const Known x = here.read(a, reading), y = here.read(b, reading);
  const bool as_they_are = guesses && a && b;
  const auto add = [&](Relation which, std::vector<Fact>& to) {
    if (const auto fact =
            x && y ? difference_is(which, as_they_are ? *a : *x, as_they_are ? *b : *y) : std::nullopt;
        fact && !fact->form.is_constant())
      to.push_back(*fact);
    if (reading.is_signed || reading.bits != 32) return;
    if (const auto fact = within(which, a, b, here); fact && !fact->form.is_constant()) to.push_back(*fact);
  };
  if (x && y && !guesses) result.always = decided(relation, here.range_of(*x), here.range_of(*y));
  add(relation, result.when_true);
  add(opposite(relation), result.when_false);
  return result;
}

Condition both(const Condition& a, const Condition& b) {
  if (a.always) return *a.always ? b : a;
  if (b.always) return *b.always ? a : b;
  Condition result;
  for (const Condition* each : {&a, &b})
    result.when_true.insert(result.when_true.end(), each->when_true.begin(), each->when_true.end());
  return result;
}

Condition joined(Operation operation, const Condition& a, const Condition& b) {
  if (operation == Operation::conjunction) return both(a, b);
  if (operation == Operation::disjunction) return both(a.negated(), b.negated()).negated();
  return {};
}

}  // namespace

std::vector<Written> conditions_of(const kernel::Step& step, const State& here, const Symbols& symbols,
                                   bool guesses) {
  const kernel::Form& form = *step.form;
  const kernel::Traits& traits = kernel::traits_of(form);
  const Arithmetic arithmetic(here.facts, symbols);
  std::vector<std::uint32_t> results;
  std::vector<Condition> conditions;
  std::vector<Known> numbers;
  Reading reading;
  for (unsigned i = 0; i < form.operands; ++i) {
    const OperandSpec& operand = form.operand[i];
    if (operand.count != 1) return {};
    if (operand.out) {
      results.push_back(step.row[i]);
    } else if (operand.value == ValueKind::Pred) {
      const Condition* const known = here.condition(step.row[i]);
      conditions.push_back(known != nullptr ? *known : Condition{});
    } else if (is_number(operand)) {
      reading = reading_of(operand);
      numbers.push_back(here.value(step.row[i], reading.bits / 8));
    } else {
      return {};
    }
  }
  const bool compares = traits.relation != Relation::none && numbers.size() == 2;
  if (compares)
    conditions.insert(conditions.begin(),
                      compare(traits.relation, numbers[0], numbers[1], reading, arithmetic, guesses));
  std::vector<Written> written;
  const auto set = [&](std::size_t which, Condition condition) {
    if (which < results.size() && results[which] != kernel::sink_row)
      written.push_back({results[which], std::move(condition)});
  };
  if (traits.operation == Operation::comparison && compares && conditions.size() == 1) {
    set(0, conditions[0]);
    set(1, conditions[0].negated());
  } else if (traits.operation == Operation::copy && conditions.size() == 1 && numbers.empty()) {
    set(0, conditions[0]);
  } else if (conditions.size() == 2 && (compares || numbers.empty())) {
    set(0, joined(traits.operation, conditions[0], conditions[1]));
    if (compares) set(1, joined(traits.operation, conditions[0].negated(), conditions[1]));
  }
  return written;
}

}  // namespace wedjat::sched::apart
