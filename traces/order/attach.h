// A tool of our own among those that watch a replay.
#pragma once

#include "emulator/hooks/hooks.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::traces {

// Tools are created without an argument: the one being created finds its state here.
template <class State>
inline thread_local State* attaching = nullptr;

// `state` must live as long as `hooks` is used. `may`: as in Tool::describe.
template <class Watcher, class State>
void attach_tool(hooks::Hooks& hooks, State& state, const char* name, const char* summary, unsigned may = 0) {
  attaching<State> = &state;
  hooks.add(*Tool::describe<Watcher>(name, summary, "", may));
}

}  // namespace wedjat::traces
