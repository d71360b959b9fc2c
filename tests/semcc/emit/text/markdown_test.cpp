#include "semcc/emit/text/markdown.h"

#include <doctest/doctest.h>

using semcc::emit::markdown_html;

TEST_CASE("headings, one level below those of the page") {
  CHECK(markdown_html("# What `x` takes\n## Errors\n") ==
        "<h2>What <code>x</code> takes</h2>\n<h3>Errors</h3>\n");
}

TEST_CASE("lines of a paragraph belong together, an empty line ends it") {
  CHECK(markdown_html("one\ntwo\n\nthree < 4\n") == "<p>one two</p>\n<p>three &lt; 4</p>\n");
}

TEST_CASE("what is indented by four is shown as it stands") {
  CHECK(markdown_html("Run:\n\n    a *b*  `c`\n\n    d\n\ne\n") ==
        "<p>Run:</p>\n<pre>a *b*  `c`\n\nd</pre>\n<p>e</p>\n");
}

TEST_CASE("code, stress and links in a line; a link out of the pages is its text") {
  CHECK(markdown_html("`a*b` is *so*, **very** [`there`](../README.md) [here](#place) 3 * 4 * 5 x_y_z\n") ==
        "<p><code>a*b</code> is <em>so</em>, <strong>very</strong> <code>there</code> "
        "<a href=\"#place\">here</a> 3 * 4 * 5 x_y_z</p>\n");
}

TEST_CASE("a mark without its partner is a character") {
  CHECK(markdown_html("a ` b [c] *d\n") == "<p>a ` b [c] *d</p>\n");
}

TEST_CASE("lists, with lines that go on") {
  CHECK(markdown_html("* one\n  and more\n* two\n\nEnd\n") ==
        "<ul>\n<li>one and more</li>\n<li>two</li>\n</ul>\n<p>End</p>\n");
  CHECK(markdown_html("1. one\n2. two\n") == "<ol>\n<li>one</li>\n<li>two</li>\n</ol>\n");
}

TEST_CASE("tables, whose cells may hold a bar in code or behind a backslash") {
  CHECK(markdown_html("| a | b |\n|---|---|\n| `x|y` | 1 \\| 2 |\n| | |\n") ==
        "<div class=\"wide\"><table>\n<tr><th>a</th><th>b</th></tr>\n"
        "<tr><td><code>x|y</code></td><td>1 | 2</td></tr>\n<tr><td></td><td></td></tr>\n</table></div>\n");
}
