// The toolkit's assembler in place of the driver's compiler, which does not end on some kernels that it
// takes.
#pragma once

#include <string>

namespace wedjat::hardware_truth {

// Machine code for sm_90a. Throws CudaError with what `ptxas` (a path, or a name in PATH) said; `level`
// is that of its optimisation. Where `kept`
// names a folder, it is looked up and kept there: other inputs need no other code.
std::string assembled(const std::string& ptxas, unsigned level, const std::string& ptx,
                      const std::string& kept = {});

}  // namespace wedjat::hardware_truth
