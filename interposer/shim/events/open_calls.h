// Which call each thread is in, told where it outlives a killed process: a call whose exit tells nothing that
// its entry does not tell has no exit event.
#pragma once

#include "traces/format/state.h"

namespace wedjat::interposer {

/// The calling thread's own. Not listed if all are taken: such a thread's calls all have their exit events.
traces::OpenCall& own_open_call();
bool is_listed(const traces::OpenCall& one);

/// In the child of a fork, which is a thread of its own.
void open_calls_after_fork();

}  // namespace wedjat::interposer
