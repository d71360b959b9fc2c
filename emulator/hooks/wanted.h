// The tools that a user asked for.
#pragma once
#include <string>
#include <vector>

#include "emulator/hooks/hooks.h"

namespace wedjat::hooks {

struct Wanted {
  std::vector<std::string> tools;  ///< specs, as Hooks::add takes them
  bool check = false;              ///< every checker that is not among them
  std::string suppressions;        ///< a file of findings not to report; empty: none
};

/// Throws ToolError.
void add_wanted(Hooks& hooks, const Wanted& wanted);

}  // namespace wedjat::hooks
