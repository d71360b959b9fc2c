// What is behind the search: the table of all families, and the list of all forms.
#pragma once
#include <map>
#include <string>

#include "semcc/emit/manual/page.h"

namespace semcc::emit {

using Pages = std::map<std::string, OpcodePage>;  // by opcode

std::string index_html(const Pages& pages, const EvidenceIndex& evidence, bool times);

// forms.js: ['PAGE#FAMILY', 'FORMS'] for each family. FORMS are separated by spaces; each begins with two
// hexadecimal digits, the number of characters that it has in common with the form before.
std::string forms_js(const Pages& pages);

}  // namespace semcc::emit
