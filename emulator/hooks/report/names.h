// Names of kernels as people read them.
#pragma once
#include <string>

#include "emulator/hooks/report/report.h"

namespace wedjat::hooks {

/// "_Z4gemmPfi" -> "gemm(float*, int)"; any other name stays as it is.
std::string demangled(const std::string& name);

/// The same in what a report calls a kernel: cells of columns named `kernel`, findings, titles that end with
/// ": NAME".
void demangle(Report& report);

}  // namespace wedjat::hooks
