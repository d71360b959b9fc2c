// A tool of our own among those that watch a replay.
#pragma once

#include <mutex>

#include "emulator/hooks/hooks.h"
#include "utilities/include/wedjat/tool.hpp"

namespace wedjat::traces {

// Tools are created without an argument: the one being created finds its state here.
template <class State>
inline thread_local State* attaching = nullptr;

inline std::mutex& creation_of_tools() {
  static std::mutex one_at_a_time;
  return one_at_a_time;
}

// `state` must live as long as `hooks` is used. `may`: as in Tool::describe.
template <class Watcher, class State>
void attach_tool(hooks::Hooks& hooks, State& state, const char* name, const char* summary, unsigned may = 0) {
  const std::lock_guard lock(creation_of_tools());
  attaching<State> = &state;
  hooks.add(*Tool::describe<Watcher>(name, summary, "", may));
}

}  // namespace wedjat::traces
