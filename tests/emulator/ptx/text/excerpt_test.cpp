// What of a module a kernel reaches.
#include "emulator/ptx/text/excerpt.h"

#include <doctest/doctest.h>

using namespace wedjat::ptx;

namespace {

const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";

std::vector<std::string> reached(const std::vector<std::string>& texts,
                                 const std::vector<std::string_view>& roots = {"k"}) {
  std::vector<Source> sources;
  for (const std::string& text : texts) sources.emplace_back("k.ptx", text);
  const Excerpt result = excerpt(sources, roots);
  CHECK(result.whole_because.empty());
  return result.texts;
}

std::string reached(const std::string& body) { return reached(std::vector{head + body})[0]; }

}  // namespace

TEST_CASE("functions, variables and aliases that are named stay as they stand; others go") {
  CHECK(reached("// a comment\n"
                ".extern .func  (.param .b32 r) vprintf(.param .b64 a);\n"
                ".global .u32 unused;\n"
                ".global .align 8 .u64 table[2] = { far,\n 0 };\n"
                ".weak .const .u32 far = 7;\n"
                ".func f;\n"
                ".func g() { ret; }\n"
                ".alias h, g;\n"
                ".alias other, g;\n"
                ".visible .entry not_k() { call f; ret; }\n"
                ".func f()   // comment {\n{ .reg .b64 %rd; mov.b64 %rd, table;  call h; ret; }\n"
                ".visible .entry k(.param .u64 p)\n.maxntid 32\n{ { call f; } ret; }\n") ==
        head +
            ".global .align 8 .u64 table[2] = { far,\n 0 };\n"
            ".weak .const .u32 far = 7;\n"
            ".func f;\n"
            "\n.func g() { ret; }\n"
            ".alias h, g;\n"
            "\n.func f()   // comment {\n{ .reg .b64 %rd; mov.b64 %rd, table;  call h; ret; }\n"
            "\n.visible .entry k(.param .u64 p)\n.maxntid 32\n{ { call f; } ret; }\n");
}

TEST_CASE("an indirect call may reach every device function, and what these name") {
  const std::string text = reached(
      ".global .u32 of_g;\n.global .u32 unused;\n"
      ".func g() { st.global.u32 [of_g], 1; ret; }\n"
      ".entry other() { ret; }\n"
      ".entry k(.param .u64 p) { .reg .b64 %f; P: .callprototype _ (); call %f, P; ret; }\n");
  CHECK(text.find("of_g;") != std::string::npos);
  CHECK(text.find(".func g") != std::string::npos);
  CHECK(text.find("unused") == std::string::npos);
  CHECK(text.find("other") == std::string::npos);
}

TEST_CASE("files stay, strings of inlined functions where a .loc needs them, other sections go") {
  const std::string sections =
      ".section .debug_str\n{\nname: .b8 102, 0\n}\n.section .debug_info { .b64 other }\n";
  const std::string rest = ".file 1 \"k.cu\"\n.entry other() { ret; }\n.entry k() {\n.loc 1 2 3";
  const std::string plain = reached(rest + "\nret; }\n" + sections);
  CHECK(plain.find(".file 1 \"k.cu\"\n") != std::string::npos);
  CHECK(plain.find("debug") == std::string::npos);
  const std::string inlined = reached(rest + ", function_name name, inlined_at 1 4 5\nret; }\n" + sections);
  CHECK(inlined.find(".section .debug_str\n{\nname: .b8 102, 0\n}\n") != std::string::npos);
  CHECK(inlined.find("debug_info") == std::string::npos);
}

TEST_CASE("ranges of variables stay, for their names do not stand in the text") {
  CHECK(reached(".global .u32 a<4>;\n.global .u32 b;\n.entry k() { ret; }\n").find("a<4>;") !=
        std::string::npos);
}

TEST_CASE("names are looked for in all modules, and a module nobody needs is empty") {
  const auto texts = reached({head + ".extern .func f;\n.entry k() { call f; ret; }\n",
                              head + ".visible .func f() { ret; }\n.global .u32 x;\n",
                              head + ".global .u32 y = 1;\n", head + ".global .u32 asked;\n"},
                             {"k", "asked"});
  CHECK(texts[1] == head + "\n.visible .func f() { ret; }\n");
  CHECK(texts[2].empty());
  CHECK(texts[3] == head + ".global .u32 asked;\n");
}

TEST_CASE("a text of which nothing goes keeps its comments") {
  const std::string text = "// made by hand\n" + head + ".entry k() { ret; } // the end\n";
  CHECK(reached(std::vector{text})[0] == text);
}

TEST_CASE("nothing is left out where that is not safe") {
  const std::string rest = "\n.global .u32 x;\n.entry k() { ret; }\n";
  const std::vector<Source> debug = [&] {
    std::vector<Source> sources;
    sources.emplace_back("k.ptx", ".version 8.0\n.target sm_90, debug\n.address_size 64" + rest);
    return sources;
  }();
  const std::string_view k = "k", nobody = "nobody";
  CHECK(excerpt(debug, {&k, 1}).whole_because.find("debugger") != std::string::npos);
  CHECK(excerpt(debug, {&k, 1}).texts[0] == debug[0].text());
  const Source plain("k.ptx", head + rest);
  CHECK(excerpt({&plain, 1}, {&nobody, 1}).whole_because == "it does not declare nobody");
  const Source broken("k.ptx", head + ".global;");
  CHECK_THROWS_AS(excerpt({&broken, 1}, {&k, 1}), Error);
}
