// The command as a user meets it: output and exit code.
#include "tests/cli/command.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace {

const char* const scale = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry scale(.param .u64 p, .param .u32 n, .param .f32 f)
{
  .reg .pred %p1; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  ld.param.f32 %f1, [f];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra done;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r2, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.rn.f32 %f3, %f2, %f1;
  st.global.f32 [%rd4], %f3;
done:
  ret;
}
)";

}  // namespace

TEST_CASE("help and version everywhere") {
  CHECK(wedjat("--help").code == 0);
  CHECK(wedjat("--version").output.find("wedjat") == 0);
  for (const char* command : {"record", "replay", "regress", "pack", "info", "run", "fidelity", "tools"}) {
    INFO(command);
    const auto help = wedjat(std::string(command) + " --help");
    CHECK(help.code == 0);
    CHECK(help.output.find("--help") != std::string::npos);
    CHECK(std::ranges::none_of(help.output, [](unsigned char c) { return c < ' ' && c != '\n'; }));
  }
}

TEST_CASE("wrong arguments end with 2, broken input with 3") {
  CHECK(wedjat("").code == 2);
  CHECK(wedjat("frobnicate").code == 2);
  CHECK(wedjat("replay").code == 2);
  CHECK(wedjat("replay /no/such/trace").code == 3);
  CHECK(wedjat("info /no/such/file.ptx").code == 3);
  CHECK(wedjat("run /no/such/file.ptx --entry k").code == 3);
}

TEST_CASE("a kernel is meant by what people call it, and the only one without a name") {
  const Folder folder;
  const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n";
  const std::string one = folder.file("one.ptx", head + ".entry _Z4fillPf(.param .u64 p) { ret; }\n");
  for (const std::string entry : {"", " --entry fill", " --entry _Z4fillPf", " --entry 'fill(float*)'"})
    CHECK(wedjat("run " + one + entry + " --arg zeros:64").code == 0);
  const std::string two = folder.file(
      "two.ptx", head + ".entry _Z4fillPf() { ret; } .entry _Z4fillPd() { ret; } .entry fill() { ret; }\n");
  CHECK(wedjat("run " + two + " --entry fill").code == 0);
  const Outcome none = wedjat("run " + two);
  CHECK(none.code == 2);
  CHECK(none.output.find("--entry: which one of fill(float*); fill(double*); fill?") != std::string::npos);
  const Outcome other = wedjat("run " + two + " --entry other");
  CHECK(other.code == 4);
  CHECK(other.output.find("no kernel other in the module; it has fill(float*); fill(double*); fill") !=
        std::string::npos);
}

TEST_CASE("fidelity counts forms, and lists them") {
  const Outcome sums = wedjat("fidelity --json --only setp.eq.and.s32");
  CHECK(sums.code == 0);
  const auto json = nlohmann::json::parse(sums.output);
  for (const char* key : {"exact", "bounded", "not_compared", "differs", "unsupported"})
    CHECK(json.at(key).is_number_unsigned());
  CHECK(json.at("forms") == 2);
  CHECK(json.at("exact") == 2);
  const Outcome forms = wedjat("fidelity --forms --only setp.eq.and.s32");
  const std::regex line(
      "exact +[1-9][0-9,]+  setp\\.eq\\.and\\.s32 d\\.pred\\|d\\.pred, s\\.b32, s\\.b32, s\\.pred\n");
  CHECK(std::regex_search(forms.output, line));
  CHECK(wedjat("fidelity --line --only add").code == 2);
}

TEST_CASE("replay and run say which executed instructions were not exact") {
  const auto told = [](const std::string& arguments) {
    const Outcome outcome = wedjat(arguments);
    CHECK(outcome.code == 0);
    return nlohmann::json::parse(outcome.output).at("tools").at(0).at("tables");
  };
  const auto exact = told("replay --fidelity --json " WEDJAT_SOURCE_DIR "/traces/samples/stencil.tar.zst");
  CHECK(exact.at(0).at("rows").empty());
  CHECK(exact.at(1).at("rows").at(0).at("warp_instructions") > 1000000);
  const Folder folder;
  const std::string ptx = folder.file("asks.ptx", R"(
.version 8.3
.target sm_90
.address_size 64
.func (.param .align 16 .b8 r[16]) quad() { st.param.b64 [r], 1; st.param.b64 [r+8], 2; ret; }
.visible .entry k(.param .u64 p) {
  .reg .b128 %q; .reg .b64 %l<3>; .reg .pred %b; .param .align 16 .b8 result[16];
  call (result), quad, ();
  ld.param.b128 %q, [result]; mov.b128 {%l1, %l2}, %q; setp.eq.u64 %b, %l1, 0; @%b bra done;
  ld.param.u64 %l0, [p]; st.global.u32 [%l0], 1; done: ret;
})");
  const auto one = told("run --fidelity --json " + ptx + " --entry k --arg zeros:64");
  REQUIRE(one.at(0).at("rows").size() == 1);
  CHECK(one.at(0).at("rows").at(0).at("form") == "ld.param.b128");
  CHECK(one.at(0).at("rows").at(0).at("status") == "differs");
  CHECK(one.at(0).at("rows").at(0).at("reaches") == "branch");
  CHECK(one.at(1).at("rows").at(0).at("not_exact") == 1);
  const std::string function = folder.file("names.ptx", R"(
.version 8.0
.target sm_90
.address_size 64
.global .b64 g;
.func f() { ret; }
.visible .entry k(.param .u64 p) {
  .reg .b64 %l<4>; ld.param.u64 %l0, [p]; mov.u64 %l1, f; mov.u64 %l2, g; st.global.u64 [%l0], %l1;
  st.global.u64 [%l2], %l1; proto: .callprototype _(); call %l1, (), proto; ret;
})");
  const auto names = told("run --fidelity --json " + function + " --entry k --arg zeros:64");
  REQUIRE(names.at(0).at("rows").size() == 1);
  CHECK(names.at(0).at("rows").at(0).at("form") == "mov.u64 a function");
  CHECK(names.at(0).at("rows").at(0).at("status") == "bounded");
}

TEST_CASE("run executes a kernel and writes its buffers back") {
  const Folder folder;
  const std::string ptx = folder.file("scale.ptx", scale);
  const float values[3] = {1, 2, 3};
  const std::string data =
      folder.file("x.bin", std::string(reinterpret_cast<const char*>(values), sizeof values));
  const auto outcome = wedjat("run " + ptx + " --entry scale --grid 1 --block 32 --arg inout:" + data +
                              " --arg u32:3 --arg f32:1.5 --json");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.output.find("\"thread_instructions\"") != std::string::npos);
  float result[3];
  std::ifstream(data, std::ios::binary).read(reinterpret_cast<char*>(result), sizeof result);
  CHECK((result[0] == 1.5f && result[1] == 3.0f && result[2] == 4.5f));
}

TEST_CASE("run reads textures and writes surfaces, as arguments and as variables of the file") {
  const Folder folder;
  const std::string ptx = folder.file("texels.ptx", R"(.version 8.4
.target sm_90a
.address_size 64
.global .texref image;
.global .surfref drawn;
.visible .entry blend(.param .u64 t, .param .u64 s) {
  .reg .b64 %t, %s; .reg .b32 %i, %b; .reg .f32 %x, %y, %r<4>;
  ld.param.u64 %t, [t]; ld.param.u64 %s, [s];
  mov.u32 %i, %tid.x; cvt.rn.f32.u32 %x, %i; mov.f32 %y, 0f3F000000;
  tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%t, {%x, %y}];
  mov.b32 %b, %r0; shl.b32 %i, %i, 2;
  sust.b.1d.b32.trap [%s, {%i}], {%b};
  ret;
}
.visible .entry next() {
  .reg .b32 %i, %b, %r<4>;
  mov.u32 %i, %tid.x; shl.b32 %b, %i, 2;
  tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [image, {%i}];
  add.u32 %r0, %r0, 1;
  sust.b.1d.b32.trap [drawn, {%b}], {%r0};
  ret;
})");
  const auto file = [&](const char* name, const auto& values) {
    return folder.file(name, std::string(reinterpret_cast<const char*>(values), sizeof values));
  };
  const auto words = [](const std::string& path, auto& values) {
    std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(values), sizeof values);
  };
  const float pixels[8] = {0, 1, 2, 3, 9, 9, 9, 9};
  const std::string image = file("f.bin", pixels), drawn = folder.file("s.bin", "");
  const auto blended = wedjat("run " + ptx + " --entry blend --block 4 --arg texture:" + image +
                              ":f32:4,2:linear --arg surface-out:" + drawn + ":f32:4");
  INFO(blended.output);
  REQUIRE(blended.code == 0);
  float result[4];
  words(drawn, result);
  CHECK((result[0] == 0 && result[1] == 0.5f && result[2] == 1.5f && result[3] == 2.5f));

  const std::uint32_t numbers[4] = {10, 20, 30, 40};
  const std::string line = file("u.bin", numbers);
  const std::string common =
      "run " + ptx + " --entry next --block 4 --bind drawn=surface-out:" + drawn + ":u32:4";
  const auto bound = wedjat(common + " --bind image=texture:" + line + ":u32:4:memory,integers");
  INFO(bound.output);
  REQUIRE(bound.code == 0);
  std::uint32_t counted[4];
  words(drawn, counted);
  CHECK((counted[0] == 11 && counted[3] == 41));
  const auto missing = wedjat(common);
  CHECK(missing.code == 5);
  CHECK(missing.output.find("nothing is bound to image (--bind image=texture:") != std::string::npos);
  CHECK(wedjat(common + " --bind imag=texture:" + line + ":u32:4:memory").code == 2);
  CHECK(wedjat(common + " --bind image=texture:" + line + ":u32:5:memory").code == 2);
}

TEST_CASE("run tells what is wrong") {
  const Folder folder;
  const std::string ptx = folder.file("scale.ptx", scale);
  const std::string common = "run " + ptx + " --entry scale --grid 1 --block 32 ";
  CHECK(wedjat("run " + ptx + " --entry nothing").code == 4);
  CHECK(wedjat(common + "--arg u64:0").code == 2);
  CHECK(wedjat(common + "--arg u32:0 --arg u32:3 --arg f32:1").code == 2);
  CHECK(wedjat(common + "--block 2048 --arg zeros:12 --arg u32:3 --arg f32:1").code == 2);
  CHECK(wedjat("run " + ptx + " --entry scale --block 4096 --arg zeros:12 --arg u32:3 --arg f32:1").code ==
        4);
  const auto fault = wedjat(common + "--arg zeros:8 --arg u32:3 --arg f32:1");
  INFO(fault.output);
  CHECK(fault.code == 5);
  CHECK(fault.output.find("scale.ptx:") != std::string::npos);
  const auto broken =
      wedjat("info " + folder.file("broken.ptx", ".version 8.0\n.target sm_90\n.visible .entry k( {"));
  CHECK(broken.code == 3);
  CHECK(broken.output.find("broken.ptx:3") != std::string::npos);
}

TEST_CASE("info tells of several devices, and of code that was made in the program") {
  const std::string traces = WEDJAT_SOURCE_DIR "/traces/";
  CHECK(wedjat("info " + traces + "samples/two_contexts.tar.zst")
            .output.find("2 devices, the first NVIDIA H200") != std::string::npos);
  CHECK(wedjat("info " + traces + "regression/clients/cupy_raw.tar.zst").output.find("made in the program") !=
        std::string::npos);
  CHECK(wedjat("info " + traces + "samples/saxpy.tar.zst").output.find("made in the program") ==
        std::string::npos);
}

TEST_CASE("info --check says what cannot be run") {
  const Folder folder;
  const std::string good = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";
  const std::string bad = ".func f() { .reg .b32 %r<2>; frobnicate.b32 %r0, %r1; ret; }\n";
  CHECK(wedjat("info --check " + folder.file("good.ptx", good)).code == 0);
  const std::string path = folder.file("bad.ptx", good + bad);
  CHECK(wedjat("info " + path).code == 0);
  const auto checked = wedjat("info --check " + path);
  INFO(checked.output);
  CHECK(checked.code == 4);
  CHECK(checked.output.find("bad.ptx:5:") != std::string::npos);
  CHECK(checked.output.find("no semantics for the instruction 'frobnicate'") != std::string::npos);
}
