// Kernels that show what instructions are for: examples/NAME.ptx beside the semantics files, NAME a family or
// an opcode. The tests of the emulator run them.
#pragma once
#include <map>
#include <string>

#include "semcc/ir/form.h"

namespace semcc::emit {

struct Kernel {
  std::string path, text;
};
using Kernels = std::map<std::string, Kernel>;  // by name

// The kernel of that name in HTML: its first line is a comment that says what it does; empty if there is
// none.
std::string kernel_html(const Kernels& kernels, const std::string& name);

// Throws std::runtime_error if a kernel bears the name of nothing, or if an opcode that is run has neither an
// `example` nor a kernel.
void check_kernels(const ir::Program& program, const Kernels& kernels);

}  // namespace semcc::emit
