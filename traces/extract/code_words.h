// Variables that hold addresses of functions, as tables of calls do.
#pragma once

#include "traces/bundle/bundle.h"

namespace wedjat::traces {

// Takes out of the input what the module itself puts into its variables where they hold addresses of
// functions: each driver has its own, and puts them there when it loads the module. False if there is none.
// `device` is new. Throws what loading the module throws.
bool leave_out_code(Bundle& bundle, device::Device& device);

}  // namespace wedjat::traces
