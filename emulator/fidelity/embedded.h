// Tables that are part of the program, each one zstd frame.
#pragma once

#include <string_view>

namespace wedjat::fidelity {

std::string_view embedded_forms();     // semantics/inventory/forms.tsv.zst
std::string_view embedded_evidence();  // written by evidence_table

}  // namespace wedjat::fidelity

// Bytes of the file WEDJAT_EMBEDDED, between NAME_begin and NAME_end.
#define WEDJAT_EMBED(name)                                                   \
  asm(".pushsection .rodata\n.global " #name "_begin, " #name "_end\n" #name \
      "_begin:\n"                                                            \
      ".incbin \"" WEDJAT_EMBEDDED "\"\n" #name "_end:\n.popsection\n");     \
  extern "C" const char name##_begin[], name##_end[];
