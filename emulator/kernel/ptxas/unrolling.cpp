#include "emulator/kernel/ptxas/unrolling.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "emulator/kernel/draft/draft_access.h"
#include "emulator/kernel/draft/live_steps.h"
#include "emulator/kernel/draft/live_values.h"
#include "emulator/kernel/draft/straight_runs.h"
#include "emulator/kernel/forms/instruction_lists.h"
#include "emulator/kernel/forms/micro_forms.h"
#include "emulator/kernel/forms/traits.h"
#include "emulator/kernel/ptxas/counted_loop.h"

namespace wedjat::kernel {
namespace {

using Kind = ContractionRules::Kind;

// A body that costs so much is not unrolled by fours: more of it is to be hidden behind loads.
constexpr unsigned too_costly = 50, too_costly_without_loads = 22;
// Copies of a body that ptxas always makes when it knows the number of iterations, and often more.
constexpr unsigned long always_copied(unsigned cost) { return (200 + 12000 / cost) / cost; }

// Lists of instructions that count more than one.
struct Costs {
  std::string_view list;
  unsigned cost;
};
constexpr Costs costs[] = {
    {"unrolled_as_two", 2},           {"unrolled_as_three", 3},       {"unrolled_as_six", 6},
    {"unrolled_as_seven", 7},         {"unrolled_as_eight", 8},       {"unrolled_as_twelve", 12},
    {"unrolled_as_nineteen", 19},     {"unrolled_as_twenty_one", 21}, {"unrolled_as_twenty_four", 24},
    {"unrolled_as_twenty_seven", 27}, {"never_unrolled", too_costly}};

// Updates by integers of 32 bits that lanes can do together before one of them goes to memory become much.
unsigned cost_of_update(const Form& form) {
  const auto named = [&](const char* word) { return form.text.find(word) != std::string_view::npos; };
  if (named(".cas") || named(".exch") || named(".inc") || named(".dec")) return 1;
  const auto operands = std::span(form.operand, form.operands);
  const auto address = std::ranges::find(operands, OperandKind::Address, &OperandSpec::kind);
  if (address == operands.end() || address + 1 == operands.end()) return 1;
  const OperandSpec& value = *(address + 1);
  const bool is_word = value.bits == 32 && value.parts == 1 && value.value != ValueKind::Float;
  return is_word || named(".shared") ? 10 : 1;
}

unsigned cost_of(const DraftStep& step) {
  if (step.is_own || step.form == nullptr) return 0;
  if (step.form->effects & effect::updates_memory) return cost_of_update(*step.form);
  if (step.form->effects & (effect::reads_memory | effect::writes_memory)) return 2;
  const bool is_free =
      is(step.form, Operation::copy, Operation::packing, Operation::negation, Operation::magnitude);
  if (is_free || traits_of(*step.form).has(trait::address)) return 0;
  const auto listed = std::ranges::find_if(costs, [&](const Costs& one) {
    const auto forms = instructions(one.list);
    return std::ranges::find(forms, step.form) != forms.end();
  });
  return listed == std::end(costs) ? 1 : listed->cost;
}

// The space of memory that the step reads, if it does and one is named.
std::optional<Space> space_read(const DraftStep& step) {
  if (step.form == nullptr || (step.form->effects & effect::reads_memory) == 0) return {};
  for (const OperandSpec& spec : std::span(step.form->operand, step.form->operands))
    if (spec.kind == OperandKind::Address) return spec.space;
  return Space::None;
}

template <class Visit>
bool any_step(const Draft& draft, std::uint32_t b, Visit visit) {
  const DraftBlock& block = draft.blocks[b];
  const auto first = draft.steps.begin() + block.first;
  return std::any_of(first, first + block.count, visit);
}

unsigned limit_of(const Draft& draft, std::uint32_t block) {
  unsigned limit = too_costly_without_loads, shared = 0;
  any_step(draft, block, [&](const DraftStep& step) {
    const std::optional<Space> space = space_read(step);
    if (space == Space::Shared || space == Space::SharedCluster)
      limit += shared++ == 0 ? 6 : 5;
    else if (space && space != Space::Const)
      limit = too_costly;
    return limit >= too_costly;
  });
  return std::min(limit, too_costly);
}

enum class Copies : std::uint8_t { none, by_fours, wholly };

template <class Cost>
Copies copies_by(const Draft& draft, const CountedLoop& loop, Cost cost_of_step) {
  unsigned cost = 1;  // the branch
  any_step(draft, loop.block, [&](const DraftStep& step) {
    cost += cost_of_step(step);
    return false;
  });
  if (!loop.iterations) return cost < limit_of(draft, loop.block) ? Copies::by_fours : Copies::none;
  const bool always = *loop.iterations > 1 && *loop.iterations <= always_copied(cost);
  return always ? Copies::wholly : Copies::none;
}

Copies copies_of(const Draft& draft, const CountedLoop& loop, const ContractionRules& rules) {
  if (any_step(draft, loop.block, [&](const DraftStep& step) { return rules.is_barrier(step); }))
    return Copies::none;
  return copies_by(draft, loop, cost_of);
}

// What stands between products and sums, so that they are not contracted across it, but does not keep ptxas
// from unrolling: divisions of integers of 32 bits, guarded accesses, bar.sync.
bool is_unrolled(const DraftStep& step, const ContractionRules& rules) {
  if (step.form == nullptr) return false;
  const bool is_quotient = rules.kind(step.form) == Kind::barrier;
  const OperandSpec& result = step.form->operand[0];
  if (is_quotient) return result.value != ValueKind::Float && result.bits == 32;
  return (step.form->effects & effect::fence) == 0 || (step.form->effects & effect::barrier) != 0;
}

// A guard costs one.
unsigned cost_of_unrolled(const DraftStep& step, const ContractionRules& rules) {
  const bool is_guarded = rules.is_barrier(step) && step.guard != no_value;
  return cost_of(step) + is_guarded;
}

// Blocks that run again at once, if nothing forbids to unroll them.
bool may_unroll(const Draft& draft, std::uint32_t b) {
  const DraftBlock& block = draft.blocks[b];
  return block.end.kind == End::Branch && block.end.target == b && !block.rolled;
}

class Unroller {
 public:
  Unroller(Draft& draft, const ContractionRules& rules, const FormTable& table,
           const std::vector<std::uint32_t>& blocks)
      : draft_(draft), rules_(rules), micro_(table), live_(draft, blocks) {}

  void run(const std::vector<std::uint32_t>& loops) {
    for (std::uint32_t b : loops) {
      find_late(b);
      if (!carries_product(b)) continue;
      if (const auto loop = counted_loop(draft_, b)) unroll(*loop);
    }
  }

 private:
  // What only the loop's last iteration needs to do: nobody reads it before the next one writes it anew.
  void find_late(std::uint32_t b) {
    const DraftBlock& block = draft_.blocks[b];
    std::unordered_set<ValueId> needed;  // by the next iteration
    for (ValueId value : live_.crossing())
      if (live_.is_in(b, value)) needed.insert(value);
    each_access(
        draft_, block.end, [&](ValueId value) { needed.insert(value); }, [](ValueId, bool) {});
    late_.clear();
    for (std::uint32_t i = block.first + block.count; i-- > block.first;) {
      const DraftStep& step = draft_.steps[i];
      // A load is seen by tools, and may fail.
      bool is_needed = !only_computes(step) || (step.form->effects & effect::reads_memory) != 0;
      each_access(
          draft_, step, [](ValueId) {}, [&](ValueId value, bool) { is_needed |= needed.contains(value); });
      if (!is_needed) {
        late_.insert(i);
        continue;
      }
      each_access(
          draft_, step, [](ValueId) {},
          [&](ValueId value, bool whole) {
            if (whole) needed.erase(value);
          });
      each_access(
          draft_, step, [&](ValueId value) { needed.insert(value); }, [](ValueId, bool) {});
    }
  }

  // Whether a product outlives an iteration and a sum uses it, in this one or the next, or what is done late
  // uses it, too: whether the two are fused then depends on where in its round an iteration is.
  bool carries_product(std::uint32_t b) const {
    std::unordered_map<ValueId, const DraftStep*> held;  // the product that each value is now
    std::unordered_set<const DraftStep*> summed, late;
    std::unordered_set<ValueId> written, summed_first;
    any_step(draft_, b, [&](const DraftStep& step) {
      const Kind kind = rules_.kind(step.form);
      const std::span<const Use> uses = draft_.uses_of(step);
      if (kind == Kind::sum || kind == Kind::difference) {
        for (unsigned s : {1u, 2u}) {
          if (const auto product = held.find(uses[s].value); product != held.end())
            summed.insert(product->second);
          if (!written.contains(uses[s].value)) summed_first.insert(uses[s].value);
        }
      }
      if (late_.contains(static_cast<std::uint32_t>(&step - draft_.steps.data()))) {
        each_access(
            draft_, step,
            [&](ValueId value) {
              if (const auto used = held.find(value); used != held.end()) late.insert(used->second);
            },
            [](ValueId, bool) {});
      }
      const DraftStep* product = kind == Kind::product && step.guard == no_value ? &step : nullptr;
      if (step.form != nullptr && step.guard == no_value && step.uses == 2 &&
          (is(step.form, Operation::copy) || kind == Kind::sign)) {
        if (const auto from = held.find(uses[1].value); from != held.end()) product = from->second;
      }
      each_access(
          draft_, step, [](ValueId) {},
          [&](ValueId value, bool) {
            written.insert(value);
            held.erase(value);
          });
      if (product != nullptr) held.emplace(uses[0].value, product);
      return false;
    });
    if (std::ranges::any_of(late, [&](const DraftStep* one) { return summed.contains(one); })) return true;
    return std::ranges::any_of(held, [&](const auto& one) {
      return live_.is_out(b, one.first) && (summed_first.contains(one.first) || summed.contains(one.second));
    });
  }

  void unroll(const CountedLoop& loop) {
    const Copies how = copies_of(draft_, loop, rules_);
    if (how == Copies::by_fours) by_fours(loop);
    if (how == Copies::wholly) wholly(loop);
  }

  void wholly(const CountedLoop& loop) {
    const std::uint32_t after = draft_.blocks[loop.block].end.next;
    const std::uint32_t first = copies(loop.block, static_cast<unsigned>(*loop.iterations));
    fall(first + static_cast<unsigned>(*loop.iterations) - 1, after);
    empty(loop.block);
    fall(loop.block, first);
  }

  // The loop's block becomes the choice among copies of itself.
  void by_fours(const CountedLoop& loop) {
    const std::uint32_t choice = loop.block;
    const std::uint32_t four = copies(choice, 4), two = copies(choice, 2), one = copies(choice, 1);
    draft_.blocks[two + 1].end.target = one;
    const std::uint32_t fewer = add_block({});
    empty(choice);
    choose(choice, loop, 3, four, fewer);
    choose(fewer, loop, 1, two, one);
  }

  void empty(std::uint32_t block) {
    DraftBlock& emptied = draft_.blocks[block];
    emptied.count = emptied.instructions = 0;
  }

  // A chain; the last one, which alone does what is done late, may begin anew. Returns the first.
  std::uint32_t copies(std::uint32_t block, unsigned count) {
    const std::uint32_t first = copy_of(block, count == 1);
    for (unsigned i = 1; i < count; ++i) fall(first + i - 1, copy_of(block, i + 1 == count));
    return first;
  }

  std::uint32_t copy_of(std::uint32_t block, bool is_last) {
    DraftBlock copy = draft_.blocks[block];
    const auto first = static_cast<std::uint32_t>(draft_.steps.size());
    for (std::uint32_t i = copy.first; i < copy.first + copy.count; ++i) {
      if (!is_last && late_.contains(i)) continue;
      DraftStep step = draft_.steps[i];
      const auto uses = static_cast<std::uint32_t>(draft_.uses.size());
      for (std::uint32_t u = 0; u < step.uses; ++u)
        draft_.uses.push_back(Use(draft_.uses[step.first_use + u]));
      step.first_use = uses;
      draft_.steps.push_back(step);
    }
    copy.first = first;
    copy.count = static_cast<std::uint32_t>(draft_.steps.size()) - first;
    return add_block(std::move(copy));
  }

  std::uint32_t add_block(DraftBlock block) {
    draft_.blocks.push_back(std::move(block));
    return static_cast<std::uint32_t>(draft_.blocks.size() - 1);
  }

  void fall(std::uint32_t from, std::uint32_t to) {
    DraftEnd& end = draft_.blocks[from].end;
    end = {.kind = End::Fall, .id = end.id, .target = to};
  }

  // Whether the loop still runs after `more` iterations: the sum stays within its type, so that it never
  // wraps.
  void choose(std::uint32_t block, const CountedLoop& loop, int more, std::uint32_t many, std::uint32_t few) {
    const Form& compare = loop.until_equal ? micro_.compare_s32(loop.step > 0 ? "lt" : "gt") : *loop.compare;
    const ValueId sum = draft_.add(4), holds = draft_.add(0);
    const auto far = static_cast<std::uint32_t>(more * loop.step);
    const ValueId distance = constant(far);
    DraftBlock& chosen = draft_.blocks[block];
    const std::uint32_t id = draft_.blocks[many].end.id;
    chosen.first = static_cast<std::uint32_t>(draft_.steps.size());
    chosen.count = loop.is_unsigned ? 3 : 2;
    if (loop.is_unsigned) {
      const ValueId last = constant(loop.step > 0 ? ~far : -far), from = draft_.add(4);
      add_step(micro_.limit_u32(loop.step > 0 ? "min" : "max"), id, 1, {from, loop.counter, last});
      add_step(micro_.add(4), id, 1, {sum, from, distance});
    } else {
      add_step(micro_.add_saturating_s32(), id, 1, {sum, loop.counter, distance});
    }
    add_step(compare, id, 2, {holds, loop.unused, sum, loop.bound});
    chosen.end = {.kind = End::Branch, .guard = holds, .id = id, .target = many, .next = few};
  }

  ValueId constant(std::uint32_t value) { return draft_.fill(RowFill::Source::Constant, 4, value); }

  void add_step(const Form& form, std::uint32_t id, unsigned results, std::initializer_list<ValueId> values) {
    DraftStep step;
    step.form = &form;
    step.id = id;
    step.first_use = static_cast<std::uint32_t>(draft_.uses.size());
    step.uses = static_cast<std::uint32_t>(values.size());
    step.is_own = true;
    for (const ValueId value : values)
      draft_.uses.push_back({value, draft_.uses.size() - step.first_use < results ? Role::Out : Role::In});
    draft_.steps.push_back(step);
  }

  Draft& draft_;
  const ContractionRules& rules_;
  MicroForms micro_;
  const LiveValues live_;
  std::unordered_set<std::uint32_t> late_;  // steps of the loop at hand
};

}  // namespace

void mark_unrolled_loops(Draft& draft, const ContractionRules& rules) {
  for (std::uint32_t b = 0; b < draft.blocks.size(); ++b) {
    if (!may_unroll(draft, b)) continue;
    const auto loop = counted_loop(draft, b);
    const bool is_kept = any_step(
        draft, b, [&](const DraftStep& step) { return rules.is_barrier(step) && !is_unrolled(step, rules); });
    const auto cost = [&](const DraftStep& step) { return cost_of_unrolled(step, rules); };
    draft.blocks[b].unrolled = loop && !is_kept && copies_by(draft, *loop, cost) != Copies::none;
  }
}

void unroll_carrying_loops(Draft& draft, const ContractionRules& rules, const FormTable& table) {
  const std::vector<std::uint32_t> blocks = reachable_blocks(draft);
  std::vector<std::uint32_t> loops;
  std::ranges::copy_if(blocks, std::back_inserter(loops),
                       [&](std::uint32_t b) { return may_unroll(draft, b); });
  if (!loops.empty()) Unroller(draft, rules, table, blocks).run(loops);
}

}  // namespace wedjat::kernel
