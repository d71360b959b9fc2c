// Asks a program of somebody else whether a candidate still shows the fault.
#pragma once
#include <string>

namespace wedjat::reduce {

/// Runs `program case.ptx` in a fresh folder that holds `text` under that name, in a process group of its
/// own. True if it ends with 0 in time; what it prints is dropped. Throws std::runtime_error if it cannot be
/// started.
bool test_says_yes(const std::string& program, const std::string& text, double seconds);

}  // namespace wedjat::reduce
