// One page of the manual: everything about one opcode.
#pragma once
#include <string>
#include <vector>

#include "semcc/emit/manual/evidence.h"
#include "semcc/emit/manual/kernels.h"
#include "semcc/emit/manual/times.h"

namespace semcc::emit {

struct OpcodePage {
  std::string opcode;
  std::vector<const ir::Family*> families;
};

std::string page_html(const ir::Program& program, const OpcodePage& page, const Kernels& kernels,
                      const EvidenceIndex& evidence, const Times& times);

// The opening of every page, up to <main>: title, style, the way back to the index, a search that leads
// there.
std::string page_head(const std::string& title);

std::string chapter_title(const std::string& folder);  // "half_compare" -> "Half compare"

}  // namespace semcc::emit
