#include "emulator/fidelity/embedded.h"

#define WEDJAT_EMBED(name, file)                                                                  \
  asm(".pushsection .rodata\n.global wedjat_" #name "_begin, wedjat_" #name "_end\nwedjat_" #name \
      "_begin:\n.incbin \"" file "\"\nwedjat_" #name "_end:\n.popsection\n");                     \
  extern "C" const char wedjat_##name##_begin[], wedjat_##name##_end[];

WEDJAT_EMBED(forms, WEDJAT_FORMS)
WEDJAT_EMBED(evidence, WEDJAT_EVIDENCE)

namespace wedjat::fidelity {

std::string_view embedded_forms() { return {wedjat_forms_begin, wedjat_forms_end}; }
std::string_view embedded_evidence() { return {wedjat_evidence_begin, wedjat_evidence_end}; }

}  // namespace wedjat::fidelity
