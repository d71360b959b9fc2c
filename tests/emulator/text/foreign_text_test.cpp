#include "emulator/text/foreign_text.h"

#include <doctest/doctest.h>

using namespace wedjat::text;

TEST_CASE("what moves a cursor or changes a terminal is shown, not sent") {
  CHECK(neutral("plain, tab\t and\nline") == "plain, tab\t and\nline");
  CHECK(neutral("\x1b[2J") == "\\x1b[2J");
  CHECK(neutral("\x1b]0;title\x07") == "\\x1b]0;title\\x07");
  CHECK(neutral("back\b\rover\x7f") == "back\\x08\\x0dover\\x7f");
  CHECK(neutral(std::string("nul\0", 4)) == "nul\\x00");
}

TEST_CASE(
    "characters of other languages pass; controls among them, turns of direction and broken ones do not") {
  CHECK(neutral("Ägypten 𓂀 …") == "Ägypten 𓂀 …");
  CHECK(neutral("\xc2\x9b"
                "31m") == "\\xc2\\x9b31m");  // CSI as one character
  CHECK(neutral("\x9b"
                "31m") == "\\x9b31m");  // and as one byte
  CHECK(neutral("a\xe2\x80\xae"
                "b") == "a\\xe2\\x80\\xaeb");  // right to left
  CHECK(neutral("\xc0\x9b") == "\\xc0\\x9b");  // too long for what it is
  CHECK(neutral("\xe2\x82") == "\\xe2\\x82");  // cut
  CHECK(neutral("\xe2"
                "a") ==
        "\\xe2"
        "a");
}

TEST_CASE("a character may come in pieces") {
  Neutralizer neutralizer;
  CHECK(neutralizer.pass("x\xe2") == "x");
  CHECK(neutralizer.pass("\x80") == "");
  CHECK(neutralizer.pass("\xa6y") == "…y");
  CHECK(neutralizer.pass("\xe2") == "");
  CHECK(neutralizer.rest() == "\\xe2");
}

TEST_CASE("html ends no tag and no attribute") {
  CHECK(html("<a href=\"x\" y='z'>&\x1b") == "&lt;a href=&quot;x&quot; y=&#39;z&#39;&gt;&amp;\\x1b");
}
