#include "semcc/emit/text/markdown.h"

#include <doctest/doctest.h>

using semcc::emit::markdown_html;

TEST_CASE("headings are one level below those of the page, the last one too") {
  CHECK(markdown_html("# What `x` takes\n## Errors\n###### So\n") ==
        "<h2>What <code>x</code> takes</h2>\n<h3>Errors</h3>\n<h6>So</h6>\n");
}

TEST_CASE("a link out of the page is its text, whatever stands in it") {
  CHECK(markdown_html("[`there`, *now*](../README.md) and [here](#place)\n") ==
        "<p><code>there</code>, <em>now</em> and <a href=\"#place\">here</a></p>\n");
}

TEST_CASE("tables, whose cells may hold a bar behind a backslash") {
  const std::string html = markdown_html("| a | b |\n|---|---|\n| `x` | 1 \\| 2 |\n");
  CHECK(html.find("<th>a</th>") != std::string::npos);
  CHECK(html.find("<td><code>x</code></td>\n<td>1 | 2</td>") != std::string::npos);
}

TEST_CASE("what is no Markdown stays text") {
  CHECK(markdown_html("a ` b [c] *d 3 * 4 * 5 < 6\n") == "<p>a ` b [c] *d 3 * 4 * 5 &lt; 6</p>\n");
  CHECK(markdown_html("") == "");
}
