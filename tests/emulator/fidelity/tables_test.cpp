#include <doctest/doctest.h>

#include "emulator/fidelity/fields.h"
#include "emulator/fidelity/kernel_text.h"
#include "emulator/fidelity/refusals.h"

using namespace wedjat::fidelity;

TEST_CASE("fields of lines, and the line that has others") {
  const auto lines = fields_of<2>("a\tb\n\tc\n", "x");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0][1] == "b");
  CHECK(lines[1][0].empty());
  CHECK_THROWS_WITH_AS(fields_of<2>("a\tb\na\n", "x"), "x, line 2: not 2 fields", InputError);
  CHECK_THROWS_AS(fields_of<1>("a\tb\n", "x"), InputError);
}

TEST_CASE("a table that is no table is refused") {
  CHECK_THROWS_WITH_AS(unpack("no zstd", "x"), "x: is no zstd frame of known size", InputError);
}

TEST_CASE("a kernel declares what its instruction names") {
  const std::string text = kernel_text("k", "ld.local.v2.b32 {%r3, %r10}, [larr+%tid];");
  CHECK(text.find(".reg .b32 %r<11>;") != text.npos);
  CHECK(text.find(".local .align 128 .b8 larr") != text.npos);
  CHECK(text.find("sbuf") == text.npos);
  CHECK(kernel_text("k", "st.b64 [%mem], %l0;").find(".reg .b64 %mem;") != text.npos);
}

TEST_CASE("refusals are those of the emulator") {
  const Snippet snippets[] = {{"add.s32 %r0, %r1, %r2;", ""}, {"add.b32 %r0, %r1, %r2;", ""}};
  const auto answers = refusals(snippets, "9.0", "sm_90a");
  CHECK(answers[0].runs());
  CHECK(answers[1].refusal.find("add.b32") != std::string::npos);
  CHECK_FALSE(answers[1].is_legal);
  const Snippet late[] = {{"add.bf16 %h0, %h1, %h2;", ""}};
  CHECK(refusals(late, "7.8", "sm_90")[0].runs());
  CHECK(refusals(late, "7.7", "sm_90")[0].refusal.find("7.8") != std::string::npos);
  const Snippet newer[] = {{"tcgen05.wait::ld.sync.aligned;", ""}};
  CHECK_FALSE(refusals(newer, "9.0", "sm_100a")[0].runs());
  CHECK(refusals(newer, "9.0", "sm_100a")[0].is_legal);
  CHECK_FALSE(refusals(newer, "9.0", "sm_90a")[0].is_legal);
}
