#include <doctest/doctest.h>

#include "tests/semcc/compile.h"

TEST_CASE("an error shows its place, the line and a caret") {
  const Folder folder;
  const std::string path = folder.write("x.psem",
                                        "instruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : "
                                        "x.u32 d, a;\n  operands a : in u32; d : out u32;\n"
                                        "\tthread { d = a + 1; }\n  example \"x.u32 1\" -> 2;\n}\n");
  const Compiled compiled = compile({path});
  CHECK(compiled.diagnostics->text() == path +
                                            ":5:17: error: d is u32 (0..4294967295), but the value may be "
                                            "1..4294967296: narrow it with wrap.u32, clamp.u32 or a slice\n" +
                                            "    \tthread { d = a + 1; }\n" +  //
                                            "    \t               ^\n" +       //
                                            "    in x.u32\n");
}

TEST_CASE(
    "a mistake in a body is reported once, not for every form, and the next statements are looked at too") {
  const Folder folder;
  const Compiled compiled = compile({folder.write(
      "x.psem",
      "types T = { u16, u32, u64 };\ninstruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : x.T "
      "d, a;\n"
      "  operands a : in T; d : out T;\n  thread {\n    let t = nonsense(a);\n    let u = t + 1;\n"
      "    let v = more(a);\n    d = a;\n  }\n  example \"x.u32 1\" -> 2;\n}\n")});
  const auto errors = compiled.diagnostics->sorted();
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].at.line == 7);
  CHECK(errors[1].at.line == 9);
}

TEST_CASE("errors of several files and families come together, in order") {
  const Folder folder;
  const std::string bad =
      "instruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : x d, a;\n  operands a : in u32; d : "
      "out u32;\n  thread { d "
      "= q; }\n}\n";
  const Compiled compiled = compile({folder.write("a.psem", bad), folder.write("b.psem", bad + bad)});
  const auto errors = compiled.diagnostics->sorted();
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].at.file == 0);
  CHECK(errors[1].at.file == 1);
  CHECK(errors[2].at.line == 11);
}

TEST_CASE("a file cut at any byte gives errors, never a crash") {
  std::ifstream in(std::string(WEDJAT_SOURCE_DIR) + "/tests/semcc/pass/add.psem");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  REQUIRE(text.size() > 500);
  const Folder folder;
  const std::size_t family = text.find("\ninstruction add") + 1;
  for (std::size_t length = 0; length < text.rfind('}'); ++length) {
    const Compiled compiled = compile({folder.write("cut.psem", text.substr(0, length))});
    INFO(length);
    if (length > family) CHECK(compiled.diagnostics->any());
  }
}

TEST_CASE("a chain of conditions that is too long is told, never a crash") {
  const Folder folder;
  const auto errors = [&](int length, const std::string& link, const std::string& last) {
    std::string text =
        "instruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : x.u32 d, a;\n  operands a : in "
        "u32; d : out u32;\n  thread { d = a;\n if (a == 0) { d = 1; } ";
    for (int i = 0; i < length; ++i) text += link;
    return compile({folder.write("x.psem", text + last + " }\n  example \"x.u32 1\" -> 2;\n}\n")})
        .diagnostics->sorted();
  };
  CHECK(errors(200, "else if (a == 7) { d = 3; } ", "else { d = 2; }").empty());
  for (const char* link : {"else if (a == 7) { d = 3; } ", "else if (a == 7) { if (a == 8) { d = 3; } } "}) {
    const auto told = errors(100000, link, "else d = 2;");
    REQUIRE(told.size() == 1);
    CHECK(told[0].at.line == 6);
    CHECK(told[0].message == "more than 200 'else' are chained");
  }
  // One after the other is no chain.
  CHECK(errors(300, "else d = 2; if (a == 7) { d = 4; } ", "").empty());
}

TEST_CASE("what nests too deeply is told, never a crash") {
  const Folder folder;
  for (const char* opening : {"-", "!", "~", "(", "{", "a + ", "a ? b : "}) {
    std::string text =
        "instruction x {\n  manual \"1\"; summary \"Computes.\";\n  form : x.u32 d, a;\n  operands a : in "
        "u32; d : out u32;\n  thread { d = ";
    for (int i = 0; i < 20000; ++i) text += opening;
    const Compiled compiled = compile({folder.write("x.psem", text + "a; }\n}\n")});
    INFO(opening);
    const auto errors = compiled.diagnostics->sorted();
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].at.line == 5);
    CHECK(errors[0].message.starts_with(
        *opening == '(' || *opening == '{' ? "more than 100 brackets" : "a statement of more than 1000"));
  }
}
