// Semantics and PTX text as it was written, in HTML.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace semcc::emit {

std::string escape_html(std::string_view text);

// Escaped, with <span class="k|s|n|c"> around keywords, strings, numbers and comments.
std::string highlight(std::string_view text);

// The same of PTX: directives and opcodes are its keywords.
std::string highlight_ptx(std::string_view text);

// The `form` items of an instruction, each on one line: "setp.cmp{.ftz}.T p[|q], a, b".
std::vector<std::string> form_items(std::string_view instruction);

}  // namespace semcc::emit
