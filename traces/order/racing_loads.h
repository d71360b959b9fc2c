// A replay in which loads that race with stores of their launch take what was there before them: the hardware
// may give them either.
#pragma once

namespace wedjat::hooks {
class Hooks;
}

namespace wedjat::traces {

/// 0: all such loads; 1 … 3: half of them, another half each. Even ones: what was there before all stores
/// that race with the load, odd ones: before the last of them.
inline constexpr unsigned racing_draws = 4;

/// Of those that follow, no load of floats takes what the hardware may give it, but what lies as far beyond
/// the later value (the first draw) or the earlier one: what changes then depends on the race, were it ever
/// so little.
inline constexpr unsigned racing_nudges = 2;

/// `hooks` watch one replay.
void let_loads_race(hooks::Hooks& hooks, unsigned draw);

}  // namespace wedjat::traces
