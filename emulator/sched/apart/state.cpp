#include "emulator/sched/apart/state.h"

#include <algorithm>

namespace wedjat::sched::apart {

namespace {

constexpr unsigned slot_bytes = 64, lanes = 32;
// Of an element of a predicate's row, for all lanes.
constexpr unsigned widest_row = 8;

unsigned slots_of(unsigned bytes) { return std::max(1u, bytes * lanes / slot_bytes); }

bool depends(const std::vector<Fact>& facts, std::uint8_t symbol) {
  return std::ranges::any_of(facts, [&](const Fact& fact) { return fact.form.factor_of(symbol) != 0; });
}

// Whether every number of `part` is one of `whole`.
bool covers(const Value& whole, const Value& part, const Arithmetic& there) {
  if (whole.least.has_same_terms(part.least))
    return whole.least.base <= part.least.base &&
           part.least.base + part.slack <= whole.least.base + whole.slack;
  return whole.least.is_constant() &&
         there.range_of(part).within({whole.least.base, whole.least.base + whole.slack});
}

}  // namespace

Condition Condition::negated() const {
  return {when_false, when_true, always ? std::optional(!*always) : std::nullopt};
}

Known State::value(std::uint32_t row, unsigned bytes) const {
  const Slot& slot = slots_[row / slot_bytes];
  return slot.value != nullptr && slot.bytes == bytes ? Known(*slot.value) : anything;
}

const Condition* State::condition(std::uint32_t row) const {
  return slots_[row / slot_bytes].condition.get();
}

void State::clear(std::uint32_t row, unsigned bytes) {
  const std::uint32_t first = row / slot_bytes;
  const std::uint32_t end = std::min<std::uint32_t>(first + slots_of(bytes), slots_.size());
  for (std::uint32_t s = first < widest_row ? 0 : first - widest_row; s < first; ++s)
    if (s + slots_of(slots_[s].bytes) > first) slots_[s] = {};
  std::fill(slots_.begin() + first, slots_.begin() + end, Slot{});
}

void State::set(std::uint32_t row, unsigned bytes, Known value) {
  clear(row, bytes);
  if (value)
    slots_[row / slot_bytes] = {static_cast<std::uint8_t>(bytes), std::make_shared<Value>(*value), nullptr};
}

void State::set(std::uint32_t row, Condition condition) {
  clear(row, 0);
  slots_[row / slot_bytes] = {0, nullptr, std::make_shared<Condition>(std::move(condition))};
}

void State::forget(std::uint8_t symbol, const Symbols& symbols) {
  const Arithmetic here(facts, symbols);
  for (Slot& slot : slots_) {
    if (slot.value != nullptr && slot.value->least.factor_of(symbol) != 0) {
      const Known value = here.without(*slot.value, symbol);
      slot.value = value ? std::make_shared<Value>(*value) : nullptr;
    }
    if (slot.condition != nullptr &&
        (depends(slot.condition->when_true, symbol) || depends(slot.condition->when_false, symbol)))
      slot.condition = nullptr;
  }
  facts.forget(symbol);
}

State State::or_else(const State& other, const Symbols& symbols) const {
  State result(static_cast<std::uint32_t>(slots_.size() * slot_bytes));
  const Arithmetic here(facts, symbols), there(other.facts, symbols);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Slot &a = slots_[s], &b = other.slots_[s];
    if (a.is_empty() || b.is_empty() || a.bytes != b.bytes) continue;
    Slot& to = result.slots_[s];
    to.bytes = a.bytes;
    if (a.condition != nullptr && a.condition == b.condition) to.condition = a.condition;
    if (a.value == nullptr || b.value == nullptr) continue;
    if (a.value == b.value) {
      to.value = a.value;
    } else if (const Known value = here.or_else(*a.value, *b.value, there)) {
      to.value = std::make_shared<Value>(*value);
    }
  }
  result.facts = facts.or_else(other.facts, symbols);
  return result;
}

bool State::give_up_what_is_not_in(const State& other, const Symbols& symbols) {
  const Arithmetic there(other.facts, symbols);
  bool all = true;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    Slot& mine = slots_[s];
    const Slot& its = other.slots_[s];
    if (mine.is_empty()) continue;
    const bool holds = mine.value != nullptr
                           ? its.value != nullptr && its.bytes == mine.bytes &&
                                 (mine.value == its.value || covers(*mine.value, *its.value, there))
                           : mine.condition == its.condition;
    if (holds) continue;
    mine = {};
    all = false;
  }
  for (std::size_t i = facts.all().size(); i-- > 0;) {
    const Fact& fact = facts.all()[i];
    if (other.facts.range_of(fact.form, symbols).within(fact.range)) continue;
    facts.remove(i);
    all = false;
  }
  return all;
}

void State::next_round(std::uint8_t symbol) {
  for (Slot& slot : slots_) {
    if (slot.value != nullptr && slot.value->least.factor_of(symbol) != 0) {
      Value later = *slot.value;
      later.least.base -= later.least.factor_of(symbol);
      slot.value = std::make_shared<Value>(later);
    }
    if (slot.condition != nullptr &&
        (depends(slot.condition->when_true, symbol) || depends(slot.condition->when_false, symbol)))
      slot.condition = nullptr;
  }
  facts.next_round(symbol);
}

State State::of_rounds(const State& first, const State& second, std::uint8_t symbol) {
  State result = first;
  result.facts = {};
  for (std::size_t s = 0; s < first.slots_.size(); ++s) {
    const Slot &before = first.slots_[s], &after = second.slots_[s];
    Slot& slot = result.slots_[s];
    if (before.value == after.value && before.condition == after.condition) continue;
    slot = {};
    if (before.value == nullptr || after.value == nullptr || before.bytes != after.bytes) continue;
    if (*before.value == *after.value) {
      slot = before;
      continue;
    }
    const bool grows = before.value->is_exact() && after.value->is_exact() &&
                       before.value->least.has_same_terms(after.value->least);
    const Wide step = after.value->least.base - before.value->least.base;
    constexpr Wide largest = Wide{1} << 62;
    Value sum = *before.value;
    if (grows && -largest < step && step < largest &&
        sum.least.add(Linear::of(symbol), static_cast<std::int64_t>(step)))
      slot = {before.bytes, std::make_shared<Value>(sum), nullptr};
  }
  return result;
}

}  // namespace wedjat::sched::apart
