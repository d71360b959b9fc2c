// Names of kernels as people read them.
#pragma once
#include <string>
#include <string_view>

#include "emulator/hooks/report/report.h"

namespace wedjat::hooks {

/// "_Z4gemmPfi" -> "gemm(float*, int)"; any other name stays as it is.
std::string demangled(const std::string& name);

/// The same of a kernel or function that a message names ("kernel _Z4gemmPfi", "… in _Z4gemmPfi"); what it
/// quotes of the PTX stays as it is.
std::string demangled_in(const std::string& message);

/// Whether a pattern (it may end in *) means the kernel: by the name that the linker knows, or by what people
/// read: "void ns::gemm<4>(float*)", with or without "void", the parameters, the template's arguments,
/// "ns::".
bool means_kernel(std::string_view pattern, const std::string& name);

/// The same in what a report calls a kernel: cells of columns named `kernel`, findings, titles that end with
/// ": NAME".
void demangle(Report& report);

}  // namespace wedjat::hooks
