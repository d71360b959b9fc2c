// PTX text in pieces.
#include "cli/reduce/pieces.h"

#include <doctest/doctest.h>

using namespace wedjat::reduce;
using Kind = Piece::Kind;

TEST_CASE("statements, labels, bodies and blocks are pieces; vectors, tables and texts are not cut") {
  const auto pieces = split(
      ".version 8.0\n.target sm_90, debug\n.file 1 \"a;b{.cu\"\n.global .u32 t[2] = {1, /* ; */ 2};\n"
      ".entry k(.param .u64 p) .maxntid 32 { // } ;\n$L:\n.loc 1 2 3\n@%p ld.v2.u32 {%a, %b},\n [%d];\n"
      "{ st.shared::cta.u32 [%a], 1 ; }\np: .callprototype (.param .b32 _) _ (.param .b32 _);\n}\n");
  const std::pair<Kind, const char*> wanted[] = {
      {Kind::fixed, ".version 8.0"},
      {Kind::fixed, ".target sm_90, debug"},
      {Kind::statement, ".file 1 \"a;b{.cu\""},
      {Kind::statement, ".global .u32 t[2] = {1, 2};"},
      {Kind::head, ".entry k(.param .u64 p) .maxntid 32"},
      {Kind::open, "{"},
      {Kind::label, "$L:"},
      {Kind::statement, ".loc 1 2 3"},
      {Kind::statement, "@%p ld.v2.u32 {%a, %b}, [%d];"},
      {Kind::open, "{"},
      {Kind::statement, "st.shared::cta.u32 [%a], 1 ;"},
      {Kind::close, "}"},
      {Kind::label, "p:"},
      {Kind::statement, ".callprototype (.param .b32 _) _ (.param .b32 _);"},
      {Kind::close, "}"}};
  REQUIRE(pieces.size() == std::size(wanted));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CAPTURE(i);
    CHECK(pieces[i].kind == wanted[i].first);
    CHECK(pieces[i].text == wanted[i].second);
  }
  CHECK(closing(pieces, 5) == 14);
  CHECK(closing(pieces, 9) == 11);
}

TEST_CASE("what is no PTX ends too") {
  for (const char* text : {"", "{", "}", "\"", "/*", ";;;", "a: {{{", "@", ".loc"}) {
    CAPTURE(text);
    CHECK(join(split(text)).size() <= 40);
  }
}
