// `wedjat reduce`: what stays, what goes, and that it is the same every time.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

// The first loop, the second parameter and most of the buffer have nothing to do with y[2].
const char* const kernel = R"(
// wedjat: launch k grid=2 block=8
// wedjat: in a: u32[16] = range 5
// wedjat: in unused: u32[4] = fill 3
// wedjat: out y: u32[16]
// wedjat: scalar n: u32 = 1000
// wedjat: expect y[0..1]: u32 = 25 36
// wedjat: expect y[2..3]: u32 = 50 64
// wedjat: ignore y: u32
.version 8.0
.target sm_90
.address_size 64
.global .u32 nobody[4] = {1, 2, 3, 4};
.func helper(.param .u32 x) { ret; }
.visible .entry other() { ret; }
.visible .entry k(.param .u64 a, .param .u64 unused, .param .u64 y, .param .u32 n)
{
  .reg .b32 %r<50>; .reg .b64 %d<50>; .reg .pred %p<9>;
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [y];
  ld.param.u32 %r1, [n];
  mov.u32 %r20, 0;
LOOP:
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p1, %r20, %r1;
  @%p1 bra LOOP;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r2, %r3, 8, %r2;
  mul.wide.u32 %d3, %r2, 4;
  add.s64 %d4, %d1, %d3;
  add.s64 %d5, %d2, %d3;
  ld.global.u32 %r4, [%d4];
  mul.lo.u32 %r5, %r4, %r4;
  st.global.u32 [%d5], %r5;
  ret;
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string file = kernel;

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Reduced {
  Outcome outcome;
  std::string text, report;
  Outcome expected;  // what `wedjat expect` says of it
};

Reduced reduce(const std::string& text, const std::string& options) {
  const Folder folder;
  const std::string name = folder.file("k.ptx", text), out = (folder.path / "out").string();
  Reduced reduced;
  reduced.outcome = wedjat("reduce " + name + " -o " + out + " --json " + options);
  CAPTURE(reduced.outcome.output);
  if (reduced.outcome.code != 0) return reduced;
  reduced.text = contents(out + "/reduced.ptx");
  reduced.report = contents(out + "/report.md");
  reduced.expected = wedjat("expect " + out + "/reduced.ptx");
  return reduced;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a value that differs stays what it is, and little else stays") {
  const Reduced reduced = reduce(file, "--differs");
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  const auto json = nlohmann::json::parse(reduced.outcome.output);
  CHECK(json["reduced"]["statements"].get<int>() <= 11);
  CHECK(json["reduced"]["threads"] == 3);  // y[2] is that of thread 2
  CHECK(json["original"]["threads"] == 16);
  CHECK(!has(reduced.text, "LOOP"));
  CHECK(!has(reduced.text, "unused"));
  CHECK(!has(reduced.text, "helper"));
  CHECK(!has(reduced.text, "other"));
  CHECK(!has(reduced.text, "nobody"));
  CHECK(reduced.expected.code == 1);
  CHECK(has(reduced.expected.output, "y[2] wants 50 (0x00000032), got 49 (0x00000031)"));
  CHECK(has(reduced.report, "y[2] wants 50"));
  CHECK(has(reduced.report, "| threads | 16 | 3 |"));
}

TEST_CASE("the outcome does not depend on the number of threads") {
  const Reduced one = reduce(file, "--differs --threads 1"), three = reduce(file, "--differs --threads 3");
  CHECK(one.text != "");
  CHECK(one.text == three.text);
}

TEST_CASE("an error stays") {
  const Reduced reduced = reduce(replaced(file, "in a: u32[16]", "in a: u32[13]"), "--keeps 'out of bounds'");
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  CHECK(has(reduced.text, "fails \"out of bounds\""));
  CHECK(reduced.expected.code == 0);
  CHECK(!has(reduced.text, "LOOP"));
}

TEST_CASE("a finding stays a finding") {
  const Reduced reduced =
      reduce(replaced(file, "add.s64 %d5, %d2, %d3", "mov.u64 %d5, %d2"), "--check --keeps race_check");
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  CHECK(has(reduced.text, "finds \"race_check\""));
  CHECK(reduced.expected.code == 0);
  CHECK(has(reduced.text, "st.global.u32"));
  CHECK(!has(reduced.text, "ld.global.u32"));
}

TEST_CASE("a refused instruction stays") {
  const Reduced reduced = reduce(replaced(file, "mul.lo.u32 %r5", "mul.low.u32 %r5"), "--keeps mul.low");
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  CHECK(reduced.expected.code == 0);
  CHECK(has(reduced.text, "mul.low.u32"));
  CHECK(!has(reduced.text, "st.global"));
}

TEST_CASE("a program of somebody else may say what stays") {
  const Folder folder;
  const std::string script = folder.file("test.sh", "#!/bin/sh\ngrep -q mul.lo \"$1\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const Reduced reduced = reduce(file, "--test " + script);
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  CHECK(has(reduced.text, "mul.lo.u32"));
  CHECK(!has(reduced.text, "add.s64"));
}

TEST_CASE("no result becomes a special register, which ptxas takes in few instructions") {
  const Folder folder;
  const std::string script =
      folder.file("test.sh", "#!/bin/sh\ngrep -q mul.wide \"$1\" && grep -q %tid.x \"$1\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const Reduced reduced = reduce(file, "--test " + script);
  CAPTURE(reduced.text);
  REQUIRE(reduced.outcome.code == 0);
  CHECK(has(reduced.text, "mov.u32 %r2, %tid.x;"));
  CHECK(!has(reduced.text, "ld.global"));
}

// What is left of the case is a bundle beside it, which runs without the options that found it.
TEST_CASE("the result has a program in C beside it, or a reason") {
  const Folder folder;
  const std::string ptx = folder.file("k.ptx", file), out = (folder.path / "out").string();
  for (int again = 0; again < 2; ++again) {  // the folder may be there already
    const Outcome done = wedjat("reduce --differs " + ptx + " -o " + out);
    CAPTURE(done.output);
    REQUIRE(done.code == 0);
    const std::string program = contents(out + "/bundle/main.c");
    CHECK(std::count(program.begin(), program.end(), '\n') < 100);
    CHECK(has(contents(out + "/bundle/module.ptx"), "mul.lo.u32"));
    CHECK(has(contents(out + "/report.md"), "make -C bundle run"));
    const Outcome ran = wedjat("run " + out + "/bundle");
    CAPTURE(ran.output);
    CHECK(ran.code == 0);
    CHECK(has(ran.output, "expected: 0 of 12 bytes differ"));
  }
  // A launch that ends with an error leaves nothing to compare.
  const std::string outside = folder.file("o.ptx", replaced(file, "in a: u32[16]", "in a: u32[13]"));
  const Outcome fails = wedjat("reduce --keeps 'out of bounds' " + outside + " -o " + out);
  CAPTURE(fails.output);
  CHECK(fails.code == 0);
  CHECK(!std::filesystem::exists(out + "/bundle"));
  CHECK(has(contents(out + "/report.md"), "There is no program in C: the launch ends here with an error"));
}

TEST_CASE("files are reduced beside each other; one that shows nothing does not keep the others") {
  const Folder folder;
  const std::string one = folder.file("one.ptx", file),
                    two = folder.file("two.ptx", replaced(file, "50 64", "51 64")),
                    fine =
                        folder.file("fine.ptx", replaced(replaced(file, "50 64", "49 64"), "25 36", "25 36")),
                    out = (folder.path / "out").string();
  const Outcome all = wedjat("reduce --differs --json " + one + " " + two + " " + fine + " -o " + out);
  CAPTURE(all.output);
  CHECK(all.code == 2);
  const auto json = nlohmann::json::parse(all.output);
  REQUIRE(json.size() == 3);
  for (const auto& each : json) CHECK(each.contains("error") == (each["file"] == fine));
  const Outcome alone = wedjat("reduce --differs " + one + " -o " + (folder.path / "alone").string());
  CHECK(alone.code == 0);
  CHECK(contents(out + "/one/reduced.ptx") == contents(folder.path / "alone/reduced.ptx"));
  CHECK(has(contents(out + "/two/reduced.ptx"), "= 51"));
  // Both would go to one folder.
  std::filesystem::create_directories(folder.path / "sub");
  const Outcome same =
      wedjat("reduce --differs " + one + " " + folder.file("sub/one.ptx", file) + " -o " + out);
  CHECK(same.code == 2);
  CHECK(has(same.output, "have the same name"));
}

TEST_CASE("what is avoided comes no more often than it was, and time ends it") {
  const Reduced free = reduce(file, "--differs"),
                avoiding = reduce(file, "--differs --avoid 'ld\\.param.*\\[y'");
  CHECK(free.outcome.code == 0);
  CHECK(avoiding.text == free.text);  // the original has it
  const Reduced without = reduce(file, "--differs --avoid 'st.global.u32 .%d5., [0-9]'");
  CHECK(without.outcome.code == 0);
  CHECK(reduce(file, "--differs --avoid '('").outcome.code == 2);
  const Reduced short_of_time = reduce(file, "--differs --seconds 0.000001");
  REQUIRE(short_of_time.outcome.code == 0);
  CHECK(nlohmann::json::parse(short_of_time.outcome.output)["in_time"] == false);
  CHECK(has(short_of_time.text, "LOOP"));
}

// Our driver fuses what the emulator is told not to: so the two differ as a GPU and the emulator may.
TEST_CASE("what a GPU leaves differs, and less PTX shows it") {
  const Folder folder;
  const std::string other = folder.file("k.ptx", R"(
// wedjat: launch k block=4
// wedjat: out y: u32[8]
// wedjat: scalar a: u32 = 1069547521
// wedjat: ignore y: u32
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 y, .param .f32 a)
{
  .reg .f32 %f<9>; .reg .b64 %d<9>; .reg .b32 %r<9>;
  ld.param.u64 %d1, [y];
  ld.param.f32 %f1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d2, %d2, %d1;
  mul.f32 %f2, %f1, %f1;
  sub.f32 %f3, %f2, 0f3f800000;
  st.global.f32 [%d2+16], %f3;
  add.u32 %r1, %r1, 7;
  st.global.u32 [%d2], %r1;
  ret;
}
)");
  const std::string out = (folder.path / "out").string();
  const std::string command =
      std::string("live -- ") + WEDJAT_COMMAND + " reduce --gpu 4 --contract=none " + other + " -o " + out;
  CHECK(wedjat(command + " --well-defined").code == 2);  // it may be fused or not
  const Outcome done = wedjat(command);
  CAPTURE(done.output);
  CHECK(done.code == 0);
  const std::string reduced = contents(out + "/reduced.ptx");
  CAPTURE(reduced);
  CHECK(reduced.find("mul.f32") != std::string::npos);
  CHECK(reduced.find("sub.f32") != std::string::npos);
  CHECK(reduced.find("add.u32") == std::string::npos);
  CHECK(reduced.find("block=4") == std::string::npos);
}

// A compiler of ours, whose machine code is PTX.
static std::string compiler_of(const Folder& folder, const char* script) {
  namespace fs = std::filesystem;
  const fs::path compiler = folder.path / "ptxas";
  std::ofstream(compiler) << script;
  fs::permissions(compiler, fs::perms::owner_all);
  return compiler.string();
}

// Optimising, it takes `not` for `mov`. Without the
// multiplication it does so at level 0 too, and without the addition it takes nothing at all.
TEST_CASE("a compiler that goes wrong in another way, or takes a case no longer, is no answer") {
  const Folder folder;
  const std::string compiler = compiler_of(folder, R"(#!/bin/sh
grep -q 'add.u32' case.ptx || exit 1
if [ "$2" != -O0 ] || ! grep -q 'mul.lo' case.ptx
then sed 's/not.b32/mov.b32/' case.ptx > case.made
else cp case.ptx case.made
fi
)");
  const std::string case_file = folder.file("k.ptx", R"(
// wedjat: launch k
// wedjat: inout y: u32[4] = 1 2 3 4
// wedjat: ignore y: u32
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 y)
{
  .reg .b64 %d<9>; .reg .b32 %r<9>;
  ld.param.u64 %d1, [y];
  ld.global.u32 %r1, [%d1];
  add.u32 %r2, %r1, 7;
  mul.lo.u32 %r3, %r1, 9;
  xor.b32 %r5, %r1, 9;
  not.b32 %r4, %r1;
  st.global.u32 [%d1], %r2;
  st.global.u32 [%d1+4], %r3;
  st.global.u32 [%d1+8], %r4;
  st.global.u32 [%d1+12], %r5;
  ret;
}
)");
  const std::string out = (folder.path / "out").string();
  const Outcome done = wedjat(std::string("live -- ") + WEDJAT_COMMAND + " reduce --gpu 3 --ptxas " +
                              compiler + " " + case_file + " -o " + out);
  CAPTURE(done.output);
  CHECK(done.code == 0);
  CHECK(has(done.output, "level 3 of the compiler; at level 0 it does not"));
  const std::string reduced = contents(out + "/reduced.ptx");
  CAPTURE(reduced);
  for (const char* kept : {"not.b32", "add.u32", "mul.lo"}) CHECK(has(reduced, kept));
  CHECK(!has(reduced, "xor"));
}

// A compiler of ours that takes a remainder for its first operand. Of a division by zero PTX says nothing.
TEST_CASE("a fault is not reduced to a division by zero") {
  const Folder folder;
  const std::string compiler = compiler_of(folder, R"(#!/bin/sh
if [ "$2" != -O0 ]
then sed 's/rem.u32 \(%r3, [^,]*\), [^;]*/mov.u32 \1/' case.ptx > case.made
else cp case.ptx case.made
fi
)");
  const std::string case_file = folder.file("k.ptx", R"(
// wedjat: launch k
// wedjat: inout y: u32[2] = 7 4
// wedjat: ignore y: u32
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 y)
{
  .reg .b64 %d<9>; .reg .b32 %r<9>;
  ld.param.u64 %d1, [y];
  ld.global.u32 %r1, [%d1];
  ld.global.u32 %r2, [%d1+4];
  rem.u32 %r3, %r1, %r2;
  st.global.u32 [%d1], %r3;
  ret;
}
)");
  const std::string out = (folder.path / "out").string();
  const Outcome done =
      wedjat(std::string("live -- ") + WEDJAT_COMMAND + " reduce --gpu 3 --well-defined --ptxas " + compiler +
             " " + case_file + " -o " + out);
  CAPTURE(done.output);
  CHECK(done.code == 0);
  CHECK(has(done.output, "the PTX leaves nothing open"));
  const std::string reduced = contents(out + "/reduced.ptx");
  CAPTURE(reduced);
  CHECK(has(reduced, "rem.u32 %r3"));
  CHECK(!has(reduced, ", 0;"));
}

TEST_CASE("what is not so from the beginning, or not said, is an error") {
  const Outcome nobody = reduce(file, "--keeps 'nobody says this'").outcome;
  CHECK(nobody.code == 2);
  CHECK(nobody.output.find("has \"nobody says this\" in it; it runs well, and nothing is found") !=
        std::string::npos);
  // What it says instead is told.
  const Outcome other =
      reduce(replaced(file, "in a: u32[16]", "in a: u32[13]"), "--keeps 'nobody says this'").outcome;
  CHECK(other.output.find("in it; but: failed: ") != std::string::npos);
  CHECK(reduce(file, "").outcome.code == 2);
  CHECK(reduce(file, "--differs --keeps x").outcome.code == 2);
  CHECK(reduce(replaced(file, "50 64", "49 64"), "--differs").outcome.code == 2);
  CHECK(reduce(file, "--tiers").outcome.code == 2);
  CHECK(reduce(file, "--test /nowhere").outcome.code == 3);
}
