// Which forms a family has, since when, and what hardware said of them.
#pragma once
#include <string>

#include "semcc/emit/manual/evidence.h"

namespace semcc::emit {

// A table: PTX version, target, how many forms.
std::string legality_html(const ir::Family& family);

// All of them, those of equal operands, availability, hints and evidence together. Folded.
std::string forms_html(const ir::Family& family, const EvidenceIndex& evidence);

// For each operand: in or out, which types, what may be written.
std::string operands_html(const ir::Family& family);

}  // namespace semcc::emit
