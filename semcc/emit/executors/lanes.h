// C++ of what forms compute for one lane: what the compiled tier makes vectors, masks and single numbers of.
#pragma once
#include <map>
#include <string>

#include "semcc/emit/executors/executors.h"

namespace semcc::emit {

// Path relative to the output folder -> text: `<chapter>.cpp` with a function for every executor whose form
// only computes or updates a word, and `lane_names.cpp`, which says where it stands.
std::map<std::string, std::string> emit_lanes(const ir::Program& program);  // throws Error

}  // namespace semcc::emit
