// What cuGetProcAddress hands to the application.
#pragma once

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

// The wrapper of the function the driver found, by the rule of its PFN typedefs: the newest ABI not above
// `version`, in the per-thread flavour if asked for and present. A function the table does not know is handed
// through as it is, and the trace says that it escaped.
void* served(const Call& call, const char* symbol, void* found, int version, cuuint64_t flags);

}  // namespace wedjat::interposer
