// The Markdown of our READMEs as HTML: headings, paragraphs, lists of one level, tables, indented code; code,
// stress and links in lines.
#pragma once
#include <string>
#include <string_view>

namespace semcc::emit {

// Headings are one level lower, for the page has a title. Links that leave the page lead nowhere in the
// manual: of these only the text stays.
std::string markdown_html(std::string_view text);

}  // namespace semcc::emit
