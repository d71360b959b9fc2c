#include <doctest/doctest.h>

#include <algorithm>

#include "tests/semcc/compile.h"

namespace {

const std::string family = R"(
instruction x {
  manual "1"; summary "Computes.";
  form : x.word d, a;
  operands a : in word; d : out word;
  thread { d = a; }
  example "x.b32 1" -> 1;
}
)";

}  // namespace

TEST_CASE("imports are found beside the file or above it, once each, and their imports are seen") {
  const Folder folder;
  folder.write("core.psem", "types word = { b32, b64 };\n");
  folder.write("chapter/shared.psem", "import core;\n");
  const Compiled compiled =
      compile({folder.write("chapter/x.psem", "import shared;\nimport core;\n" + family)});
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.form_texts() == std::vector<std::string>{"x.b32", "x.b64"});
  CHECK(compiled.library->sources.size() == 3);
  CHECK(compiled.program.families[0].chapter == "chapter");
}

TEST_CASE("only the files asked for are compiled; imports that import each other end") {
  const Folder folder;
  folder.write("core.psem", "import x;\ntypes word = { b32 };\n");
  const Compiled compiled = compile({folder.write("x.psem", "import core;\n" + family)});
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.program.families.size() == 1);
}

TEST_CASE("a file that is not there") {
  const Compiled compiled = compile({"/nowhere/x.psem"});
  CHECK(compiled.diagnostics->text() == "semcc: error: cannot read /nowhere/x.psem\n");
}

TEST_CASE("the text of a family is kept as written, beyond ASCII too") {
  const Folder folder;
  const std::string text =
      "instruction x {   // ≤ is not ASCII\n  manual \"1\"; summary \"Computes.\";\n  form : x.u32 d, a;\n  "
      "operands a : in u32; d "
      ": out u32;\n  thread { d = a; }\n  example \"x.u32 1\" -> 1;\n}";
  const Compiled compiled = compile({folder.write("x.psem", "// größer\n" + text + "\n")});
  CHECK(compiled.diagnostics->text() == "");
  CHECK(compiled.program.families.at(0).source == text);
  CHECK(compiled.program.families[0].forms[0].at.line == 4);
}
