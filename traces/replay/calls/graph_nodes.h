// What the nodes of a graph do.
#pragma once

#include "traces/replay/state/replayer.h"

namespace wedjat::traces {

// Carries out the nodes of a graph in order. Refuses, naming the call, what replay does not know.
void run_graph(Replayer& replayer, const Call& launch, const Graph& graph);

// The first kernel in it for which there is no PTX; empty if there is none.
std::string kernel_without_ptx(Replayer& replayer, const Graph& graph);

}  // namespace wedjat::traces
