// What the manual says of one family.
#pragma once
#include <string>

#include "semcc/emit/manual/evidence.h"
#include "semcc/emit/manual/kernels.h"
#include "semcc/emit/manual/times.h"

namespace semcc::emit {

// A <section> with the family's name as its id; its parts have the ids NAME-syntax, NAME-operands …
std::string section_html(const ir::Program& program, const ir::Family& family, const Kernels& kernels,
                         const EvidenceIndex& evidence, const Times& times);

}  // namespace semcc::emit
