// Text to syntax tree.
#pragma once
#include "semcc/front/syntax.h"

namespace semcc::front {

// Reports syntax errors and returns what could be made of the file; after an error the tree may lack parts.
File parse(const Sources& sources, int source, Diagnostics& diagnostics);

}  // namespace semcc::front
