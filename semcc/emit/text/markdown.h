// The Markdown of our READMEs, with its tables, as HTML.
#pragma once
#include <string>
#include <string_view>

namespace semcc::emit {

// Headings are one level lower, for the page has a title. Links that leave the page lead nowhere in the
// manual: of these only the text stays.
std::string markdown_html(std::string_view text);

}  // namespace semcc::emit
