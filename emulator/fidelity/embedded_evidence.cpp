#include "emulator/fidelity/embedded.h"

WEDJAT_EMBED(wedjat_evidence)

namespace wedjat::fidelity {

std::string_view embedded_evidence() { return {wedjat_evidence_begin, wedjat_evidence_end}; }

}  // namespace wedjat::fidelity
