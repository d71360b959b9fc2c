// One function a driver call (or a few of one meaning): see dispatch.cpp for the table.
#pragma once

#include "traces/replay/replayer.h"

namespace wedjat::traces::handle {

// memory_calls.cpp
void allocate(Replayer& replayer, const Call& call);
void allocate_pitch(Replayer& replayer, const Call& call);
void free(Replayer& replayer, const Call& call);
void map(Replayer& replayer, const Call& call);
void free_mapped(Replayer& replayer, const Call& call);
void fill(Replayer& replayer, const Call& call);
void fill_2d(Replayer& replayer, const Call& call);

// copy_calls.cpp
void copy_any(Replayer& replayer, const Call& call);
void copy_peer(Replayer& replayer, const Call& call);
void copy_to_device(Replayer& replayer, const Call& call);
void copy_to_host(Replayer& replayer, const Call& call);
void copy_on_device(Replayer& replayer, const Call& call);
void copy_2d(Replayer& replayer, const Call& call);
void copy_3d(Replayer& replayer, const Call& call);

// module_calls.cpp
void load_module(Replayer& replayer, const Call& call);
void load_library(Replayer& replayer, const Call& call);
void module_of_library(Replayer& replayer, const Call& call);
void unload_module(Replayer& replayer, const Call& call);
void unload_library(Replayer& replayer, const Call& call);

// launch_calls.cpp
void launch(Replayer& replayer, const Call& call);
void launch_extended(Replayer& replayer, const Call& call);

// graph_calls.cpp
void begin_capture(Replayer& replayer, const Call& call);
void end_capture(Replayer& replayer, const Call& call);
void instantiate_graph(Replayer& replayer, const Call& call);
void launch_graph(Replayer& replayer, const Call& call);

}  // namespace wedjat::traces::handle
