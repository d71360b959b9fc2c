// Copies to the host that the device still works on: their contents are taken once the application has waited
// for them.
#pragma once

#include <string>

#include "interposer/shim/events/call.h"
#include "interposer/shim/memory/box.h"
#include "interposer/shim/memory/timeline.h"

namespace wedjat::interposer {

void expect_copy(const Call& call, const std::string& name, const Box& box);

// How many copies there were so far: those numbered below were expected by now.
std::uint64_t copies_expected();

// Tells the contents of all expected copies that `done` covers, or that belong to a context that was waited
// for, if their number is below `end`.
void copies_done(const Clock& done);
void copies_of_context_done(std::uint64_t context, std::uint64_t end);

// Something else writes there, or it goes away: what the copy left cannot be told any more.
void abandon_copies(const Box& box, const char* reason);
void abandon_all_copies(const char* reason);

}  // namespace wedjat::interposer
