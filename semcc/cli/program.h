// The checked program of some semantics files.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semcc/ir/form.h"

namespace semcc::cli {

enum class Examples { believed, computed };

// Prints every error to standard error and returns nothing if there is one; with Examples::computed an
// example whose result is not the judge's is one. Throws FileError.
std::optional<ir::Program> load_program(const std::vector<std::string>& paths,
                                        Examples examples = Examples::believed);

// "file:line:column" of a place in the program's files.
std::string place(const ir::Program& program, ir::Location at);

}  // namespace semcc::cli
