#include "emulator/fidelity/embedded.h"

WEDJAT_EMBED(wedjat_forms)

namespace wedjat::fidelity {

std::string_view embedded_forms() { return {wedjat_forms_begin, wedjat_forms_end}; }

}  // namespace wedjat::fidelity
