// Whether the order of CTAs mattered to a launch that several host threads ran.
#pragma once
#include "emulator/exec/access/watch.h"

namespace wedjat::sched {

/// Some byte was touched by two CTAs, not by reads alone nor by updates that commute, and nothing made the
/// one come after the other. Without any, all came out as if one thread had run the launch.
bool has_conflict(const exec::LaunchWatch& watch);

/// No cluster changed a word of 4 bytes that another one touched. Of a watch whose notes tell whose each is.
bool are_apart(const exec::LaunchWatch& watch);

}  // namespace wedjat::sched
