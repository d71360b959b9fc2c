// `wedjat expect`: directives, and what is said of what is not as they say.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.h"

namespace {

const char* const kernels = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .u32 counter = 5;
.global .align 1 .b8 text[4] = {72, 105, 10, 0};
.visible .entry add(.param .u64 a, .param .u64 y, .param .u32 n)
{
  .reg .b32 %r<5>; .reg .b64 %d<5>;
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [y];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d3, %r2, 4;
  add.s64 %d1, %d1, %d3;
  add.s64 %d2, %d2, %d3;
  ld.global.u32 %r3, [%d1];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%d2], %r3;
  atom.global.add.u32 %r4, [counter], 1;
  ret;
}
.visible .entry say()
{
  .reg .b64 %d<2>; .reg .b32 %r<2>;
  cvta.global.u64 %d1, text;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %d1; st.param.b64 [a], 0; call (r), vprintf, (f, a); }
  ret;
}
)";

const char* const inputs =
    "// wedjat: launch add block=4\n// wedjat: in a: u32 = 1 2 3 4\n// wedjat: out y: u32[4]\n"
    "// wedjat: scalar n: u32 = 10\n";

Outcome expect(const std::string& directives, const std::string& options = "") {
  const Folder folder;
  return wedjat("expect " + options + " " + folder.file("k.ptx", directives + kernels));
}

bool has(const Outcome& outcome, const char* text) { return outcome.output.find(text) != std::string::npos; }

void is_broken(const std::string& directives, const char* cause) {
  const Outcome outcome = expect(directives);
  CAPTURE(outcome.output);
  CHECK(outcome.code == 3);
  CHECK(has(outcome, cause));
}

}  // namespace

TEST_CASE("what is as expected is exit code 0, in every way of writing it") {
  for (const char* right :
       {"// wedjat: expect y: u32 = 11 12 13 14\n", "// wedjat: expect y: s32 = range 11\n",
        "// wedjat: expect y: u8 = 11 0*3 12 0*3 13 0*3 14 0*3\n",
        "// ; wedjat: expect y[0.. by 2]: u32 = 11 13\n// # wedjat: expect y[1]: b32 = 0xc\n// wedjat: "
        "ignore "
        "y[3]: u32\n",
        "// wedjat: expect y: u32 = 11 12\n// wedjat+: 13 14\n",
        "// wedjat: expect y: u32 = $a _ $b 14\n// wedjat: expect counter: u32 = 9\n",
        "// wedjat: expect y: u32 = range 11\n// wedjat: then add block=4\n// wedjat: args y y n\n"
        "// wedjat: expect y: u32 = range 21\n// wedjat: expect counter: u32 = 13\n",
        "// wedjat: expect y: u32 = range 11\n// wedjat: launch say\n// wedjat: prints \"Hi\"\n"}) {
    const Outcome outcome = expect(std::string(inputs) + right);
    CAPTURE(right);
    CAPTURE(outcome.output);
    CHECK(outcome.code == 0);
  }
}

TEST_CASE("what is not as expected is named with its line, in decimal and in bits") {
  Outcome outcome = expect(std::string(inputs) + "// wedjat: expect y: u32 = 11 12 99 98\n");
  CHECK(outcome.code == 1);
  CHECK(has(outcome,
            "k.ptx:5: add y[2] wants 99 (0x00000063), got 13 (0x0000000d), and 1 more of 4 elements differ"));
  outcome = expect(std::string(inputs) + "// wedjat: expect y: u32 = $a $a 13 14\n");
  CHECK(outcome.code == 1);
  CHECK(has(outcome, "y[1] wants $a = 11 (0x0000000b), got 12"));
  outcome = expect(std::string(inputs) + "// wedjat: ignore y: u32\n// wedjat: fails \"out of bounds\"\n");
  CHECK(outcome.code == 1);
  CHECK(has(outcome, "k.ptx:6: add did not fail"));
  outcome = expect("// wedjat: launch say\n// wedjat: prints \"Ho\"\n");
  CHECK(outcome.code == 1);
  CHECK(has(outcome, "k.ptx:2: say wants the line \"Ho\", got \"Hi\""));
  outcome = expect(std::string(inputs) +
                   "// wedjat: ignore y: u32\n// wedjat: then say\n// wedjat: args\n"
                   "// wedjat: expect counter: u32 = 9\n");
  CHECK(outcome.code == 1);
  CHECK(has(outcome, "printed what nobody expects: \"Hi\""));
}

TEST_CASE("an `in` buffer may not change, an `out` buffer that is not written is seen") {
  const Outcome changed = expect(
      "// wedjat: launch add block=2\n// wedjat: in a: u32 = 1 2\n// wedjat: args a a n\n"
      "// wedjat: scalar n: u32 = 1\n// wedjat: expect counter: u32 = 7\n");
  CHECK(changed.code == 1);
  CHECK(has(changed, "k.ptx:2: add a[0] wants 1 (0x00000001), got 2 (0x00000002)"));
  CHECK(has(changed, "an `in` buffer is not to change"));
  const Outcome left = expect(
      "// wedjat: launch add\n// wedjat: in a: u32 = 0\n// wedjat: out y: u32[2]\n// wedjat: scalar n: u32 = "
      "0\n"
      "// wedjat: expect y: u32 = 0 0\n");
  CHECK(left.code == 1);
  CHECK(has(left, "y[1] wants 0 (0x00000000), got 1019435685 (0x3cc35aa5)"));
}

TEST_CASE("failures and findings can be what is expected") {
  CHECK(expect("// wedjat: launch add block=8\n// wedjat: in a: u32 = 1*4\n// wedjat: out y: u32[8]\n"
               "// wedjat: scalar n: u32 = 1\n// wedjat: fails \"out of bounds\"\n")
            .code == 0);
  CHECK(expect("// wedjat: launch nobody\n// wedjat: fails \"nobody\"\n").code == 0);
  const std::string unread =
      "// wedjat: launch add block=4\n// wedjat: out a: u32[4]\n// wedjat: out y: u32[4]\n"
      "// wedjat: scalar n: u32 = 1\n// wedjat: ignore a: u32\n// wedjat: ignore y: u32\n";
  CHECK(expect(unread + "// wedjat: finds \"uninitialised-global\"\n").code == 0);
  CHECK(expect(unread + "// wedjat: finds \"race_check\"\n").code == 1);
  const Outcome checked = expect(unread + "// wedjat: expect counter: u32 = 9\n", "--check");
  CHECK(checked.code == 1);
  CHECK(has(checked, "a checker found: memory_check [uninitialised-global]"));
  const Outcome well = expect(std::string(inputs) + "// wedjat: expect y: u32 = range 11\n", "--check");
  CAPTURE(well.output);
  CHECK(well.code == 0);
}

TEST_CASE("broken directives are errors with file and line") {
  const std::string in = inputs;
  is_broken("", "no directive 'wedjat: launch");
  is_broken(in, "k.ptx:1: nothing is expected of the launch of add");
  is_broken(in + "// wedjat: expects y: u32 = 1\n", "k.ptx:5: there is no directive 'expects'");
  is_broken(in + "// Wedjat: expect y: u32 = 1\n", "k.ptx:5: directives begin with 'wedjat:'");
  is_broken(in + "// wedjat: expect y[0..2]: u32 = 11 12 13\n",
            "k.ptx:3: element 3 of y is compared with nothing");
  is_broken(in + "// wedjat: expect y: u32 = 11 12 13\n",
            "k.ptx:5: 4 elements of y are compared with 3 values");
  // Nothing is kept of what is too much.
  for (const char* count : {"2147483647", "134217729"})
    is_broken("// wedjat: launch add block=4\n// wedjat: out y: u64[" + std::string(count) +
                  "]\n// wedjat: expect y: u64 = fill 1\n",
              (std::string("k.ptx:2: ") + count + " elements of u64: the buffers of a launch").c_str());
  is_broken(
      "// wedjat: launch add\n// wedjat: out y: u64[100000000]\n// wedjat: ignore y: u64\n"
      "// wedjat: then add\n// wedjat: out z: u64[100000000]\n// wedjat: ignore z: u64\n",
      "k.ptx:5: 100000000 elements of u64: the buffers of a launch");
  rusage largest{};
  getrusage(RUSAGE_CHILDREN, &largest);
  CHECK(largest.ru_maxrss < 1 << 20);  // KiB
  is_broken(in + "// wedjat: expect y[4]: u32 = 11\n", "k.ptx:5: y has 4 elements of type u32");
  is_broken(in + "// wedjat: expect y: q32 = 11\n", "there is no type 'q32'");
  is_broken(in + "// wedjat: expect y: u8 = fill 256\n", "256 does not fit u8");
  is_broken(in + "// wedjat: expect y: u32 = fill 1 within 1 ulp\n", "integers are exact");
  is_broken(in + "// wedjat: expect z: u32 = 1\n// wedjat: ignore y: u32\n", "z is no buffer");
  is_broken("// wedjat: launch add\n// wedjat: in a: f32 = nan\n", "memory is given exact values");
  is_broken("// wedjat: launch add\n// wedjat: in a: u32 = file none.bin\n", "none.bin");
  is_broken("// wedjat: launch add blck=3\n", "'blck=3' is not grid=");
  is_broken("// wedjat: launch add\n// wedjat: expect counter: u32 = 6\n",
            "kernel add takes 3 arguments, 0 are given");
}

TEST_CASE("JSON says the same") {
  const Outcome outcome = expect(std::string(inputs) + "// wedjat: expect y: u32 = fill 11\n", "--json");
  const auto json = nlohmann::json::parse(outcome.output);
  CHECK(outcome.code == 1);
  CHECK(json["files"][0]["launches"] == 1);
  CHECK(json["files"][0]["complaints"][0]["line"] == 5);
  CHECK(json["files"][0]["complaints"][0]["kind"] == "value");
}
