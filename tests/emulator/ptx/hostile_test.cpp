// Text that is broken or meant to break: an Error each, never a crash, a hang or memory without bound.
#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

namespace {

std::string repeat(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// True if the text is PTX, bodies included; any exception but Error fails the test.
bool parses(const std::string& text) {
  try {
    parse_bodies(*Module::parse("t.ptx", text));
    return true;
  } catch (const Error& error) {
    CHECK(error.message() != "");
    return false;
  }
}

}  // namespace

TEST_CASE("cut at every byte") {
  for (const char* file : {"kernels.ptx", "lineinfo.ptx", "rdc.ptx"}) {
    const std::string text = read_file(folder() / "data" / file);
    std::size_t good = 0;
    for (std::size_t length = 0; length < text.size(); ++length) good += parses(text.substr(0, length));
    CAPTURE(file);
    CHECK(good > 0);
    CHECK(good < text.size());
  }
}

TEST_CASE("every byte replaced") {
  const std::string text = read_file(folder() / "data" / "small.ptx");
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'\0', '{', '}', '"', '(', ',', ';', '9', '.', '\xff', '/', '%'}) {
      std::string changed = text;
      changed[i] = c;
      parses(changed);
    }
}

TEST_CASE("nesting without end") {
  constexpr std::size_t deep = 100000;
  for (const char* part : {"(", "(.s64)", "1?", "1?1:", "[", "{", "0xff(", "1+(", "g["}) {
    CAPTURE(part);
    CHECK(body_refusal(".reg .b32 r; mov.b32 r, " + repeat(part, deep) + "1;") != "");
  }
  CHECK(body_refusal(".reg .b32 r; mov.b32 r, " + repeat("-~", deep) + "1;") == "");
  CHECK(body_refusal(repeat("{", deep) + repeat("}", deep)) == "blocks nested too deeply");
  CHECK(refusal(".global .u32 v[1] = " + repeat("{", deep) + "1" + repeat("}", deep) + ";") != "");
  CHECK(refusal(".global .u32 v = " + repeat("(", deep) + "1" + repeat(")", deep) + ";") ==
        "nested too deeply");
  CHECK(body_refusal(".reg .b32 r; mov.b32 r, " + repeat("(", 50) + "1" + repeat(")", 50) + ";") == "");
}

TEST_CASE("numbers without measure") {
  CHECK(body_refusal(".reg .b32 %r<4000000000>;") != "");
  CHECK(body_refusal(".reg .b32 %r<1000000>; .reg .b32 %q<1000000>;") != "");
  CHECK(body_refusal(".reg .b32 %r<99999999999999999999999999>;") != "");
  CHECK(body_refusal("T: .branchtargets L<4000000000>;") != "");
  CHECK(body_refusal(".reg .b32 r; mov.b32 r, " + repeat("9", 100000) + ";") != "");
  CHECK(refusal(".global .u8 v[99999999999999999999];") != "");
  CHECK(refusal(".global .u8 v[281474976710657];") ==
        "'281474976710657' is no integer from 0 to 281474976710656");
  CHECK(refusal(".global .u8 v[4294967296][4] = { {1}, {2} , {3} };") == "");
  CHECK(refusal(".global .u8 v[4][4294967296] = { {1}, {2} };") != "");
}

TEST_CASE("things without end") {
  CHECK(refusal("/* ") == "comment without end");
  CHECK(refusal("/*/") == "comment without end");
  CHECK(refusal("/") != "");
  CHECK(refusal(".file 1 \"a") == "string without end");
  CHECK(refusal(".file 1 \"a\nb\"") == "string without end");
  CHECK(refusal(".entry k() {") == "'{' is never closed");
  CHECK(refusal(".entry k() { { }") == "'{' is never closed");
  CHECK(refusal("}") == "'}' without '{'");
  CHECK(refusal(".entry k() { /* } */ \n// }\n .pragma \"}\"; ret; }") == "");
}

TEST_CASE("bytes that are no text") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const bool is_text = (byte >= ' ' && byte <= '~') || (byte >= '\t' && byte <= '\r');
    const std::string c(1, static_cast<char>(byte));
    CHECK((refusal("// " + c + "\n.entry k() { ret; }") == "") == is_text);
    CHECK((refusal("/* " + c + " */ .entry k() { ret; }") == "") == is_text);
  }
}

TEST_CASE("errors show the place") {
  try {
    parse_bodies(*parse(".entry k()\n{\n\tadd.s32 %r1, %r2 %r3;\n}"));
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.file() == "t.ptx");
    CHECK(error.where().line == 6);
    CHECK(error.where().column == 19);
    CHECK(std::string(error.what()) ==
          "t.ptx:6:19: syntax error near '%r3', expected ';'\n  \tadd.s32 %r1, %r2 %r3;\n  \t                "
          " ^");
  }
}
