// Module scope (PTX ISA 5.4, 10, 11.4, 11.6).
#include "tests/emulator/ptx/support.h"

using namespace wedjat::ptx;

TEST_CASE("version, target, address size") {
  const auto module =
      Module::parse("m", ".version 2.3\n.target sm_20, texmode_independent\n.entry k { ret; }");
  CHECK(module->version.major == 2);
  CHECK(module->version.minor == 3);
  CHECK(module->targets == std::vector<std::string_view>{"sm_20", "texmode_independent"});
  CHECK(Module::parse("m", ".version 99.7 .target sm_999a .address_size 64")->targets.front() == "sm_999a");
  for (const char* text :
       {"", "   ", ".target sm_90", ".version 9.0", ".version 9 .target sm_90", ".version 9.0 .entry k(){}",
        ".version 9.0 .target sm_90 .target sm_80", ".version 9.0 .target sm_90 .version 9.0",
        ".version 9.0 .target sm_90 .address_size 16", ".version 9.0.1 .target sm_90"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Module::parse("m", text), Error);
  }
}

TEST_CASE("text given as a C string keeps working") {
  CHECK(Module::parse("m", kHeader + ".entry k { ret; }" + std::string(3, '\0'))->functions.size() == 1);
  CHECK_THROWS_AS(Module::parse("m", kHeader + std::string(1, '\0') + ".entry k { ret; }"), Error);
  CHECK(Module::parse("m", ".version 9.0\r\n.target sm_90\r\n.entry k\r\n{ ret; // x\r\n }\r\n")
            ->functions.size() == 1);
}

TEST_CASE("variables") {
  const auto module = parse(
      ".visible .global .align 16 .b8 a[3][5]; .weak .const .v2 .f32 b; .common .global .u32 c;\n"
      ".extern .shared .align 32 .b8 d[]; .global .attribute(.managed) .s32 e; .global .f64 n<3>;\n"
      ".global .attribute(.unified(19,95)) .f32 u; .global .texref t;");
  REQUIRE(module->variables.size() == 10);
  const Variable& a = module->variables[0];
  CHECK(a.size() == 15);
  CHECK(a.alignment == 16);
  CHECK(a.linkage == Linkage::visible);
  CHECK(module->variables[1].space == Space::constant);
  CHECK(module->variables[1].size() == 8);
  CHECK(module->variables[1].alignment == 8);
  CHECK(module->variables[2].linkage == Linkage::common);
  CHECK(module->variables[3].is_unsized());
  CHECK(module->variables[3].size() == 0);
  CHECK(module->variables[4].managed);
  CHECK(module->variables[7].name == "n2");
  CHECK(module->variables[8].unified->second == 95);
  CHECK(module->find_variable("n1") == 6);
  CHECK(module->find_variable("nowhere") == kNone);
  for (const char* text : {".global .u32 a[];",
                           ".global .u32 a[0];",
                           ".global .u32 a[2][];",
                           ".global .align 3 .u32 a;",
                           ".global .pred a;",
                           ".shared .texref a;",
                           ".param .u32 a;",
                           ".global a;",
                           ".global .u32 .u32 a;",
                           ".global .f32 .v4 a;",
                           ".global .v3 .f32 a;",
                           ".global .u32 a[1000000000][1000000000];",
                           ".global .u32 a<100000>;",
                           ".global .u32 a<2>[3];",
                           ".global .u32 a; .global .u32 a;",
                           ".global .u32 a; .func a() { ret; }",
                           ".extern .global .u32 a; .global .u64 a;",
                           ".weak .visible .global .u32 a;",
                           ".global .u32 a;;",
                           ".global .attribute(.other) .u32 a;",
                           ".global .u32 a.b;"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("declaration and definition of one name are one") {
  const auto module = parse(
      ".extern .global .u32 a; .visible .global .u32 a = 3;\n"
      ".visible .func (.param .b32 r) f(.param .b64 x);\n"
      ".entry k(.param .u32 n); .entry k(.param .u32 n) .maxntid 32 { ret; }\n"
      ".func (.param .b32 r) f(.param .b64 y) { ret; }");
  REQUIRE(module->variables.size() == 1);
  CHECK(module->variables[0].has_initializer);
  REQUIRE(module->functions.size() == 2);
  const Function& f = module->functions[module->find_function("f")];
  CHECK(f.has_body);
  CHECK(f.linkage == Linkage::visible);
  CHECK(f.parameters[0].name == "y");
  CHECK(module->functions[1].directives.maxntid == Directives::Shape{32, 1, 1});
  for (const char* text :
       {".func f() { ret; } .func f() { ret; }", ".func f(); .func (.reg .u32 r) f() { ret; }",
        ".func f(.param .u32 a); .func f(.param .u64 a) { ret; }", ".func f(); .entry f() { ret; }",
        ".extern .func f() { ret; }", ".common .func f();"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("parameters") {
  const auto module = parse(
      ".entry k(.param .u64 .ptr .global .align 16 a, .param .u64 .ptr b, .param .align 8 .b8 s[24], .param "
      ".texref t)\n"
      "{ ret; }\n.func f(.param .b32 n, .param .align 8 .b8 va[]) { ret; }");
  const auto& parameters = module->functions[0].parameters;
  CHECK(parameters[0].is_pointer);
  CHECK(parameters[0].pointer_space == Space::global);
  CHECK(parameters[0].pointer_alignment == 16);
  CHECK(parameters[0].alignment == 8);
  CHECK(parameters[1].pointer_space == Space::generic);
  CHECK(parameters[2].size() == 24);
  CHECK(parameters[2].alignment == 8);
  CHECK(parameters[3].type == Type::texref);
  CHECK(module->functions[1].parameters[1].extent == 0);
  for (const char* text :
       {".entry k(.param .b8 a[]) { ret; }", ".entry k(.param .v4 .f32 a) { ret; }",
        ".func f(.reg .u32 a[3]) { ret; }", ".func f(.param .b8 a[], .param .u32 c) { ret; }",
        ".entry (.param .u32 r) k() { ret; }", ".entry k(.param .u64 .ptr .align 3 a) { ret; }",
        ".entry k(.param .u64 .ptr .align 8 .param a) { ret; }",
        ".entry k(.param .u32 a, .param .u32 a) { ret; }", ".entry k(.shared .u32 a) { ret; }"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("directives") {
  const auto module = parse(
      ".entry k() .maxntid 16, 8 .minnctapersm 2 .maxnreg 64 .reqntid 16,8,1 .reqnctapercluster 2 "
      ".blocksareclusters\n"
      ".explicitcluster .maxclusterrank 8 .pragma \"nounroll\"; { ret; }\n"
      ".func f() .noreturn .abi_preserve 8 .abi_preserve_control 2 { exit; }");
  const Directives& k = module->functions[0].directives;
  CHECK(k.maxntid == Directives::Shape{16, 8, 1});
  CHECK(k.reqnctapercluster == Directives::Shape{2, 1, 1});
  CHECK(k.minnctapersm == 2);
  CHECK(k.maxnreg == 64);
  CHECK(k.maxclusterrank == 8);
  CHECK(k.explicitcluster);
  CHECK(k.blocksareclusters);
  CHECK(k.pragmas == std::vector<std::string_view>{"nounroll"});
  const Directives& f = module->functions[1].directives;
  CHECK(f.noreturn);
  CHECK(f.abi_preserve == 8);
  CHECK(f.abi_preserve_control == 2);
  for (const char* text :
       {".entry k() .maxntid 0 { ret; }", ".entry k() .maxntid 1,2,3,4 { ret; }",
        ".entry k() .noreturn { ret; }", ".func f() .maxntid 3 { ret; }", ".entry k() .other 3 { ret; }",
        ".entry k() .maxntid { ret; }", ".entry k() .maxnreg 99999999999 { ret; }"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("debug information is kept, not read") {
  const auto module = parse(
      ".file 1 \"a.cu\", 1700000000, 1234\n.entry k(){ L0: ret; }\n"
      ".section .debug_info { .b32 12 .b64 L0 .b32 e1-s1 s1: .b8 1,2 e1: .b8 -1 }\n# 1 \"a.cu\"\n.pragma "
      "\"x\";");
  CHECK(module->files[0].name == "a.cu");
  CHECK(module->files[0].size == 1234);
  CHECK(module->sections[0].name == ".debug_info");
  CHECK(module->sections[0].text.find("e1-s1") != std::string_view::npos);
  CHECK(module->pragmas[0] == "x");
}

TEST_CASE("aliases") {
  const auto module =
      parse(".visible .func f(.param .b32 a) { ret; }\n.visible .func g(.param .b32 a);\n.alias g, f;");
  CHECK(module->functions[1].name == "g");
  CHECK(module->functions[1].alias_of == 0);
  CHECK(module->functions[0].alias_of == kNone);
  for (const char* text :
       {".func f() { ret; } .alias g, f;", ".func f() { ret; } .func g() { ret; } .alias g, f;",
        ".func f(); .func g(); .alias g, f;", ".func f(.param .b32 a) { ret; } .func g(); .alias g, f;"}) {
    CAPTURE(text);
    CHECK(refusal(text) != "");
  }
}

TEST_CASE("nvcc's own output parses") {
  for (const char* file : {"kernels.ptx", "lineinfo.ptx", "rdc.ptx"}) {
    CAPTURE(file);
    const auto module = Module::parse(file, read_file(folder() / "data" / file));
    parse_bodies(*module);
    const Function& reduce = module->functions[module->find_function("reduce")];
    CHECK(reduce.is_entry);
    CHECK(reduce.directives.maxntid == Directives::Shape{256, 1, 1});
    CHECK(reduce.parameters[2].size() == 24);
    CHECK(reduce.body().instructions.size() > 40);
  }
}
