#include "semcc/emit/text/source.h"

#include <doctest/doctest.h>

using namespace semcc::emit;

TEST_CASE("text cannot become markup") {
  CHECK(escape_html("a < b && c > \"d\"") == "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  CHECK(highlight("x << 1") == "x &lt;&lt; <span class=\"n\">1</span>");
}

TEST_CASE("keywords, strings, numbers and comments are marked") {
  CHECK(highlight("let") == "<span class=\"k\">let</span>");
  CHECK(highlight("letter") == "letter");
  CHECK(highlight("\"if\" // if") ==
        "<span class=\"s\">&quot;if&quot;</span> <span class=\"c\">// if</span>");
  CHECK(highlight("0x7f") == "<span class=\"n\">0x7f</span>");
}

TEST_CASE("a PTX suffix is no keyword") { CHECK(highlight("bar.sync") == "bar.sync"); }

TEST_CASE("of PTX, opcodes, directives, numbers and comments are marked") {
  CHECK(highlight_ptx("@%p1 bra L; // no") ==
        "@%p1 <span class=\"k\">bra</span> L; <span class=\"c\">// no</span>");
  CHECK(highlight_ptx("L:\n  add.u32 %r1, %r2, 4;") ==
        "L:\n  <span class=\"k\">add.u32</span> %r1, %r2, <span class=\"n\">4</span>;");
  CHECK(highlight_ptx(".reg .b32 %r<4>;") ==
        "<span class=\"k\">.reg</span> .b32 %r&lt;<span class=\"n\">4</span>&gt;;");
}

TEST_CASE("directives of a module end with their line") {
  CHECK(highlight_ptx(".version 8.6\n.target sm_90a\n") ==
        "<span class=\"k\">.version</span> <span class=\"n\">8.6</span>\n<span class=\"k\">.target</span> "
        "sm_90a\n");
}

TEST_CASE("an open string ends with the text") {
  CHECK(highlight("\"a") == "<span class=\"s\">&quot;a</span>");
}

TEST_CASE("forms are found whatever stands around them") {
  const auto forms = form_items(R"(instruction x {
  manual "1";  // form : comment;
  form : x.a{.b} d,
         a{, c};
  form other:x.c d|p, {!}a since 8.0 on sm_90+;
  note "form : string;";
  thread { let form = 1; d = form; }
  form late : x.late;
})");
  CHECK(forms ==
        std::vector<std::string>{"x.a{.b} d, a{, c}", "x.c d|p, {!}a since 8.0 on sm_90+", "x.late"});
}
