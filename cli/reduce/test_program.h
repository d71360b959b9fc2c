// Asks a program of somebody else about a file.
#pragma once
#include <string>
#include <vector>

namespace wedjat::reduce {

/// Runs the command with `case.ptx` behind it in a fresh folder that holds `text` under that name, in a
/// process group of its own. True if it ends with 0 in time; `said`, unless it is null, gets what it printed.
/// Throws std::runtime_error if it cannot be started.
bool says_yes(const std::vector<std::string>& command, const std::string& text, double seconds,
              std::string* said = nullptr);

}  // namespace wedjat::reduce
