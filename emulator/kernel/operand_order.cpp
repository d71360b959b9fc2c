#include "emulator/kernel/operand_order.h"

#include <initializer_list>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/kernel/free_products.h"
#include "emulator/kernel/instruction_lists.h"
#include "emulator/kernel/micro_forms.h"
#include "emulator/kernel/straight_runs.h"

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
    columns(exchanged, "difference", "difference_exchanged");
    columns(guarded, "guarded_sign", "guarded_sign_result");
  }
  static void columns(std::unordered_map<const Form*, const Form*>& map, std::string_view keys,
                      std::string_view results) {
    const auto from = instructions(keys), to = instructions(results);
    for (std::size_t i = 0; i < from.size(); ++i) map.emplace(from[i], to[i]);
  }
};

class Order {
 public:
  Order(Draft& draft, const FormTable& table)
      : draft_(draft),
        lists_(Lists::generated()),
        micro_(table),
        writers_(draft, reachable_blocks(draft)),
        since_(draft.values.size()) {
    for (std::size_t i = 0; i < since_.size(); ++i) {
      const Value& value = draft_.values[i];
      if (value.is_fill && value.fill.source == RowFill::Source::Constant) since_[i] = literal;
      if (value.is_fill && value.fill.source == RowFill::Source::Parameter) since_[i] = parameter;
    }
  }

  void run() {
    for (std::uint32_t i = 0; i < draft_.steps.size(); ++i) {
      DraftStep& step = draft_.steps[i];
      if (step.form == nullptr) continue;
      if (lists_.unguarded.contains(step.form)) step.guard = no_value;
      if (step.uses >= 3) order(step);
      if (step.uses == 2 && step.guard != no_value) keep_nan(step);
      if (step.uses == 2 && lists_.undone.contains(step.form)) undo(step);
      note(step, i);
    }
  }

 private:
  static constexpr std::uint64_t zero_literal = 0, literal = ~std::uint64_t{0}, parameter = literal - 1;

  bool is_literal(ValueId id) const {
    const Value& value = draft_.values[id];
    return value.is_fill && value.fill.source == RowFill::Source::Constant;
  }

  Use& use(const DraftStep& step, unsigned i) { return draft_.uses[step.first_use + i]; }

  // The zero register stands first, as other registers do.
  std::uint64_t place(ValueId id) const {
    return is_literal(id) && (draft_.values[id].fill.value & ~double_sign) == 0 ? zero_literal : since_[id];
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
    const std::uint32_t bits = result->second->opcode == "xor" ? float_sign : ~float_sign;
    replace(step, *result->second, {use(step, 0), use(step, 1), constant(4, bits)});
  }

  // What is negated twice is itself, a NaN too.
  void undo(DraftStep& step) {
    const ValueId once = use(step, 1).value;
    if (!writers_.once(once) || draft_.values[once].is_fill) return;
    const DraftStep& first = draft_.steps[writers_.step[once]];
    if (first.form != step.form || first.guard != no_value) return;
    const ValueId original = use(first, 1).value;
    if (!writers_.once(original)) return;
    make_copy(step);
    use(step, 1).value = original;
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
  void note(const DraftStep& step, std::uint32_t i) {
    const bool copy = (step.form->opcode == "mov" || lists_.transparent.contains(step.form)) &&
                      step.uses == 2 && step.guard == no_value;
    since_.resize(draft_.values.size(), literal);
    for (std::uint32_t u = 0; u < step.uses; ++u) {
      const Use& written = use(step, u);
      if (written.role != Role::Out && written.role != Role::InOut) continue;
      since_[written.value] = copy ? since_[use(step, 1).value] : 1 + (std::uint64_t{i} << 8) + u;
    }
  }

  Draft& draft_;
  const Lists& lists_;
  MicroForms micro_;
  const Writers writers_;
  std::vector<std::uint64_t> since_;  // by value: the step that wrote it last
};

}  // namespace

void order_operands(Draft& draft, const FormTable& table) { Order(draft, table).run(); }

}  // namespace wedjat::kernel
