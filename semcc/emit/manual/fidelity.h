// Tables of evidence in HTML.
#pragma once
#include <map>
#include <string>

#include "semcc/emit/manual/evidence.h"

namespace semcc::emit {

// fidelity.html: sums by group and by opcode, with links to the pages of opcodes.
std::string fidelity_page(const Evidence& evidence, const std::map<std::string, std::string>& page_of_opcode);

// A section for the page of an opcode; empty without evidence.
std::string fidelity_section(const EvidenceIndex& evidence, const std::string& opcode);

// A word or two in a colour; empty without a row, unless none of its forms is run.
std::string fidelity_badge(const EvidenceIndex& evidence, const ir::Family& family);

}  // namespace semcc::emit
