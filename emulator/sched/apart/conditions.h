// What predicates say of symbols.
#pragma once
#include "emulator/kernel/lowered/step.h"
#include "emulator/sched/apart/state.h"

namespace wedjat::sched::apart {

struct Written {
  std::uint32_t row = 0;
  Condition condition;
};

/// What a step that writes predicates makes of them, where `here` holds; of others nothing is known.
/// `guesses`: numbers are taken to be in the range of their type.
std::vector<Written> conditions_of(const kernel::Step& step, const State& here, const Symbols& symbols,
                                   bool guesses);

}  // namespace wedjat::sched::apart
