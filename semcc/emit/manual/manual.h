// The manual as HTML: an index by chapter with a search over all forms, and a page for each opcode. Needs no
// network.
#pragma once
#include <map>
#include <string>

#include "semcc/emit/manual/evidence.h"
#include "semcc/emit/manual/kernels.h"
#include "semcc/emit/manual/times.h"
#include "semcc/ir/form.h"

namespace semcc::emit {

// Path relative to the output folder -> text: index.html, <opcode>.html, special_registers.html, device.html,
// style.css, search.js, forms.js; with evidence of hardware also fidelity.html, and what it says on every
// page; with times also times.html, times_method.html, times.js and times_table.js. Throws what check_kernels
// throws.
std::map<std::string, std::string> emit_manual(const ir::Program& program, const Kernels& kernels,
                                               const Evidence& evidence = {}, TimesTables tables = {});

}  // namespace semcc::emit
