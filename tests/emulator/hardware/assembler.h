// The toolkit's assembler in place of the driver's compiler, which does not end on some kernels that it
// takes.
#pragma once

#include <string>

namespace wedjat::hardware_truth {

// Machine code for sm_90a. Throws CudaError with what `ptxas` (a path, or a name in PATH) said.
std::string assembled(const std::string& ptxas, const std::string& ptx);

}  // namespace wedjat::hardware_truth
