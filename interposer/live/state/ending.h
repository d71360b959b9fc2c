// What is told when the program ends: calls that were not carried out, and what tools found.
#pragma once

#include <cstdint>

#include "entries.h"

namespace wedjat::hooks {
class Hooks;
}

namespace wedjat::live {

// Starts the tools that the options ask for, once; what they report is told when the program ends. A tool
// that cannot be had ends the program (exit code 2): its user wants to see what it sees.
void start_tools();
// Null without tools.
hooks::Hooks* tools();

// True the first time it is counted.
bool count_unsupported(interposer::Entry entry);

// The program has ended: nothing is carried out any more.
bool ended();

}  // namespace wedjat::live
