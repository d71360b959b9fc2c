#include "emulator/sched/apart/walk.h"

#include <algorithm>

namespace wedjat::sched::apart {

using kernel::End;

namespace {

// Steps, those of loops each time they are looked at.
constexpr std::size_t most_steps = 20'000, slots_of_a_step = 32;
constexpr unsigned most_tries = 10;

template <class Each>
void for_targets(const kernel::Terminator& end, const Each& each) {
  if (end.kind == End::Fall || end.kind == End::Branch) each(end.target);
  for (const std::uint32_t target : end.targets) each(target);
  if (end.kind != End::Fall && end.guard != 0) each(end.next);
}

}  // namespace

Walk::Walk(const kernel::Function& function, Steps& steps, Symbols& symbols)
    : function_(function),
      steps_(steps),
      symbols_(symbols),
      loop_end_(function.blocks.size(), 0),
      budget_(most_steps) {
  for (Block block = 0; block < function.blocks.size(); ++block)
    for_targets(function.blocks[block].end, [&](Block target) {
      if (target <= block) loop_end_[target] = std::max(loop_end_[target], block + 1);
    });
}

void Walk::run(State beginning) {
  Area all{0, static_cast<Block>(function_.blocks.size()), {}, {}};
  all.arrived.emplace(0, std::move(beginning));
  run_area(all, false);
}

void Walk::run_area(Area& area, bool is_loop) {
  for (Block block = area.first; block < area.end;) {
    const bool is_head = loop_end_[block] != 0 && !(is_loop && block == area.first);
    const Block next = is_head ? loop_end_[block] : block + 1;
    if (next > area.end) throw Unknown{};
    if (auto found = area.arrived.extract(block)) {
      if (is_head)
        run_loop(area, block, std::move(found.mapped()));
      else
        run_block(area, block, std::move(found.mapped()));
    }
    block = next;
  }
}

void Walk::spend(std::size_t steps) {
  if (budget_ < steps) throw Unknown{};
  budget_ -= steps;
}

void Walk::arrive(Area& area, Block from, Block at, State state) {
  // States of large frames take longer to copy than steps to run.
  spend(state.slots() / slots_of_a_step);
  if (area.first < at && at <= from) throw Unknown{};  // a loop that is entered in two places
  if (at == area.first && at <= from) {
    area.again = area.again ? area.again->or_else(state, symbols_) : std::move(state);
    return;
  }
  const auto [place, is_new] = area.arrived.try_emplace(at, state);
  if (!is_new) place->second = place->second.or_else(state, symbols_);
}

void Walk::run_block(Area& area, Block number, State state) {
  const kernel::Block& block = function_.blocks[number];
  spend(block.count + 1);
  for (std::uint32_t i = 0; i < block.count; ++i) steps_.run(function_.steps[block.first + i], state);
  const kernel::Terminator& end = block.end;
  if (end.kind == End::Call) throw Unknown{};
  if (end.guard != 0)
    if (State other = state; steps_.assume(other, end.guard, end.negated))
      arrive(area, number, end.next, std::move(other));
  if (end.guard != 0 && !steps_.assume(state, end.guard, !end.negated)) return;
  if (end.kind == End::IndexedBranch)
    for (const Block target : end.targets) arrive(area, number, target, state);
  if (end.kind == End::Fall || end.kind == End::Branch) arrive(area, number, end.target, std::move(state));
}

std::uint8_t Walk::symbol_of(Block head) {
  const auto [place, is_new] = rounds_.try_emplace(head, static_cast<std::uint8_t>(symbols_.size()));
  if (is_new) {
    if (symbols_.size() == 64) throw Unknown{};
    symbols_.push_back({Symbol::Kind::round, endless});
  }
  return place->second;
}

Walk::Area Walk::once(Block head, const State& entry) {
  Area area{head, loop_end_[head], {}, {}};
  area.arrived.emplace(head, entry);
  run_area(area, true);
  if (!area.again) return area;
  // Rounds of loops inside count anew.
  for (const auto& [inner, symbol] : rounds_)
    if (inner > head && inner < area.end) area.again->forget(symbol, symbols_);
  return area;
}

void Walk::run_loop(Area& outer, Block head, State entry) {
  const std::uint8_t round = symbol_of(head);
  const std::size_t touched = steps_.touched.size();
  const bool guessed = steps_.guesses;
  for (const auto& [inner, symbol] : rounds_)
    if (inner >= head && inner < loop_end_[head]) entry.forget(symbol, symbols_);
  symbols_[round].most = endless;

  // What changes is guessed from two rounds, and how often it may go round from what its end says.
  steps_.guesses = true;
  State state = entry;
  if (const Area first = once(head, entry); first.again) {
    state = State::of_rounds(entry, *first.again, round);
    if (Area second = once(head, state); second.again) {
      State& again = *second.again;
      symbols_[round].most = std::clamp<Wide>(again.facts.most_rounds(round, symbols_) + 1, 0, endless);
      again.next_round(round);
      for (const Fact& fact : again.facts.all()) {
        Linear at_first = fact.form;
        at_first.remove(round);
        const Range before = entry.facts.range_of(at_first, symbols_);
        state.facts.add(
            {fact.form, {std::min(before.least, fact.range.least), std::max(before.most, fact.range.most)}},
            symbols_);
      }
    }
  }

  // Then it is shown that a round leaves so what it found so.
  steps_.guesses = guessed;
  for (unsigned tries = 0;; ++tries) {
    if (tries == most_tries) throw Unknown{};
    steps_.touched.resize(touched);
    Area area = once(head, state);
    bool holds = true;
    if (area.again) {
      const Wide most = area.again->facts.most_rounds(round, symbols_) + 1;
      if (symbols_[round].most != endless && most > symbols_[round].most) {
        symbols_[round].most = endless;
        holds = false;
      }
      area.again->next_round(round);
      holds &= state.give_up_what_is_not_in(*area.again, symbols_);
    }
    if (!holds) continue;
    for (auto& [block, there] : area.arrived) arrive(outer, area.end - 1, block, std::move(there));
    return;
  }
}

}  // namespace wedjat::sched::apart
