// --fidelity: which of the executed instructions were not exact, and how far their results
// went.
#pragma once
#include "utilities/include/wedjat/tool.h"

namespace wedjat::fidelity {

/// A tool of this program's own. Its table lists every form that ran in a kernel and is not exact
/// (fidelity/evidence.h), how many warps ran it, and whether a value made from its result decides a branch or
/// is an address: through registers, in any order of execution; what goes through memory is not followed.
const wedjat_tool& fidelity_tool();

}  // namespace wedjat::fidelity
