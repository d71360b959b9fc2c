#include "emulator/kernel/ptxas/operand_order.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/draft/versions.h"
#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/forms/profile_rows.h"
#include "emulator/kernel/forms/traits.h"

namespace wedjat::kernel {
namespace {

constexpr std::uint32_t float_sign = 1u << 31;
constexpr std::uint64_t double_sign = 1ull << 63, double_infinity = 0x7ffull << 52,
                        minus_one = 0xbffull << 52;

struct Lists {
  std::unordered_set<const Form*> free, copies, transparent, undone, unguarded;
  std::unordered_map<const Form*, const Form*> exchanged, guarded;  // by difference, by change of sign

  static const Lists& generated() {
    static const Lists lists;
    return lists;
  }
  Lists() {
    for (const Form* form : instructions("order_is_free")) free.insert(form);
    for (const Form* form : instructions("copy_of_the_same")) copies.insert(form);
    for (const Form* form : instructions("order_looks_through")) transparent.insert(form);
    for (const Form* form : instructions("sign_undone")) undone.insert(form);
    for (const Form* form : instructions("guard_lost")) unguarded.insert(form);
    for (const auto& row : profile_rows<ExchangedDifference>()) exchanged.emplace(row.difference, row.fused);
    for (const auto& row : profile_rows<GuardedSign>()) guarded.emplace(row.sign, row.selected);
  }
  bool know(const Form* form) const {
    return free.contains(form) || copies.contains(form) || undone.contains(form) ||
           unguarded.contains(form) || exchanged.contains(form) || guarded.contains(form);
  }
};

class Order {
 public:
  Order(Draft& draft, const FormTable& table)
      : draft_(draft),
        lists_(Lists::generated()),
        micro_(table),
        blocks_(reachable_blocks(draft)),
        versions_(draft, blocks_) {}

  void run() {
    for (std::uint32_t b : blocks_) {
      block_ = b;
      const std::uint32_t end = draft_.blocks[b].first + draft_.blocks[b].count;
      for (step_ = draft_.blocks[b].first; step_ < end; ++step_) visit(draft_.steps[step_]);
    }
  }

 private:
  static constexpr Version literal = ~Version{0}, parameter = literal - 1, zero_literal = 0;

  void visit(DraftStep& step) {
    if (step.form == nullptr) return;
    if (lists_.unguarded.contains(step.form)) step.guard = no_value;
    if (step.uses >= 3) order(step);
    if (step.uses == 2 && step.guard != no_value) keep_nan(step);
    if (step.uses == 2 && lists_.undone.contains(step.form)) undo(step);
    note_copy(step);
  }

  bool is_literal(ValueId id) const {
    const Value& value = draft_.values[id];
    return value.is_fill && value.fill.source == RowFill::Source::Constant;
  }

  Use& use(const DraftStep& step, unsigned i) { return draft_.uses[step.first_use + i]; }

  // The zero register stands first, as other registers do.
  Version place(ValueId id) {
    const Value& value = draft_.values[id];
    if (is_literal(id)) return (value.fill.value & ~double_sign) == 0 ? zero_literal : literal;
    if (value.is_fill && value.fill.source == RowFill::Source::Parameter) return parameter;
    const Version version = versions_.read(id, block_, step_);
    const auto copied = copies_.find(version);
    return copied == copies_.end() ? version : copied->second;
  }

  void order(DraftStep& step) {
    Use &a = use(step, 1), &b = use(step, 2);
    if (a.value == b.value) {
      if (lists_.copies.contains(step.form) && a.role == Role::In) make_copy(step);
      return;
    }
    const bool late = place(a.value) > place(b.value);
    if (lists_.free.contains(step.form)) {
      if (late) std::swap(a, b);
      return;
    }
    const auto difference = lists_.exchanged.find(step.form);
    if (difference == lists_.exchanged.end()) return;
    if (late)
      exchange(step, *difference->second);
    else if (is_literal(b.value))
      negate_nan(b);
  }

  void make_copy(DraftStep& step) {
    step.form = &micro_.move(draft_.values[use(step, 1).value].bytes);
    step.uses = 2;
  }

  // ptxas negates the literal and adds it.
  void negate_nan(Use& use) {
    const std::uint64_t bits = draft_.values[use.value].fill.value;
    if ((bits & ~double_sign) > double_infinity)
      use.value = draft_.fill(RowFill::Source::Constant, 8, bits ^ double_sign);
  }

  void exchange(DraftStep& step, const Form& fused) {
    replace(step, fused, {use(step, 0), use(step, 2), constant(8, minus_one), use(step, 1)});
  }

  void keep_nan(DraftStep& step) {
    const auto result = lists_.guarded.find(step.form);
    if (result == lists_.guarded.end()) return;
    const std::uint32_t bits = is(step.form, Operation::negation) ? float_sign : ~float_sign;
    replace(step, *result->second, {use(step, 0), use(step, 1), constant(4, bits)});
  }

  // What is negated twice is itself, a NaN too.
  void undo(DraftStep& step) {
    const std::uint32_t at = Versions::step_of(versions_.read(use(step, 1).value, block_, step_));
    if (at == Versions::no_step) return;
    const DraftStep& first = draft_.steps[at];
    if (first.form != step.form || first.guard != no_value) return;
    const ValueId original = use(first, 1).value;
    if (versions_.read(original, block_of(at), at) != versions_.read(original, block_, step_)) return;
    make_copy(step);
    use(step, 1).value = original;
  }

  std::uint32_t block_of(std::uint32_t step) const {
    const auto after =
        std::ranges::upper_bound(blocks_, step, {}, [&](std::uint32_t b) { return draft_.blocks[b].first; });
    return *std::prev(after);
  }

  Use constant(unsigned bytes, std::uint64_t bits) {
    return {draft_.fill(RowFill::Source::Constant, bytes, bits), Role::In};
  }

  void replace(DraftStep& step, const Form& form, std::initializer_list<Use> uses) {
    step.form = &form;
    step.first_use = static_cast<std::uint32_t>(draft_.uses.size());
    step.uses = static_cast<std::uint32_t>(uses.size());
    draft_.uses.insert(draft_.uses.end(), uses);
  }

  // A copy is as old as what it copies.
  void note_copy(const DraftStep& step) {
    if (!is(step.form, Operation::copy) && !lists_.transparent.contains(step.form)) return;
    if (step.uses == 2 && step.guard == no_value && use(step, 0).role == Role::Out)
      copies_[Versions::written(step_, 0)] = place(use(step, 1).value);
  }

  Draft& draft_;
  const Lists& lists_;
  MicroForms micro_;
  const std::vector<std::uint32_t> blocks_;
  Versions versions_;
  std::uint32_t block_ = 0, step_ = 0;
  std::unordered_map<Version, Version> copies_;  // what was copied
};

}  // namespace

void order_operands(Draft& draft, const FormTable& table) {
  const auto known = [](const DraftStep& step) { return Lists::generated().know(step.form); };
  if (std::ranges::any_of(draft.steps, known)) Order(draft, table).run();
}

}  // namespace wedjat::kernel
