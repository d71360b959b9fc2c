// Tables that are part of the program, each one zstd frame.
#pragma once

#include <string_view>

namespace wedjat::fidelity {

std::string_view embedded_forms();     // semantics/inventory/forms.tsv.zst
std::string_view embedded_evidence();  // written by evidence_table

}  // namespace wedjat::fidelity
