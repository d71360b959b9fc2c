// Whatever an isolated tool does, the program's results stay the same, bit for bit, and the run ends.
#include <filesystem>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"

using namespace wedjat::test;

namespace {

const std::string hostile = std::string(WEDJAT_HOSTILE) + ",isolated,timeout=1,";

}  // namespace

TEST_CASE("hostile tools change nothing") {
  const Grid grid{.ctas = 20, .threads = 128};
  const Watched plain = watch(strided(4), {}, grid);
  for (const char* at : {"create", "kernel", "event", "finish", "destroy"})
    for (const char* how :
         {"null_write", "wild_write",  "loop",          "sleep",       "allocate",     "fork",
          "thread",     "exit",        "quick_exit",    "abort",       "throw",        "kill",
          "recurse",    "exec",        "socket",        "create_file", "print",        "findings",
          "close",      "talk",        "long_answer",   "write_ring",  "forge_tail",   "back_tail",
          "write_rows", "stop",        "drip",          "nested",      "garbage",      "escapes",
          "ptrace",     "parent",      "terminal",      "shm",         "truncate",     "files",
          "priority",   "wrong_probe", "many_counters", "tgkill",      "queue_signal", "pidfd",
          "prlimit",    "poke",        "io_uring",      "unmap",       "ignore",       "endless_line",
          "filter",     "unshare",     "no_text",       "huge_table",  "deadly_signal"}) {
      const std::string where = at, what = how;
      const auto is_one_of = [&](const std::string& names) { return names.find(what) != std::string::npos; };
      const bool outside = where == "create" || where == "destroy";
      if (outside && !is_one_of("loop exit quick_exit abort throw deadly_signal close null_write stop"))
        continue;
      if (where != "event" && is_one_of("allocate findings huge_table endless_line ignore drip")) continue;
      INFO(where, " ", what);
      const Watched w = watch(strided(4), {hostile + "at=" + at + ",how=" + how, "instruction_count"}, grid);
      CHECK(w.failure.empty());
      CHECK(w.memory == plain.memory);
      CHECK(w.cell("instructions by kernel", "thread", {}, 1) == 20 * 128 * 9);
      for (const unsigned char c : to_text(w.reports[0])) CHECK((c >= ' ' || c == '\n'));
      if (is_one_of("stop drip loop null_write abort throw deadly_signal") ||
          (where != "destroy" && is_one_of("exit quick_exit")))
        CHECK(w.tools[0]["detached"] != "");
    }
  CHECK_FALSE(std::filesystem::exists("hostile-was-here"));
}

TEST_CASE("a tool in this process that throws is done without from then on") {
  const Grid grid{.ctas = 20, .threads = 128};
  const Watched plain = watch(strided(4), {}, grid);
  for (const std::string at : {"create", "kernel", "event", "finish"}) {
    INFO(at);
    const Watched w =
        watch(strided(4), {std::string(WEDJAT_HOSTILE) + ",how=throw,at=" + at, "instruction_count"}, grid);
    CHECK(w.memory == plain.memory);
    CHECK(w.reports[0].detached.ends_with(": hostile"));
    CHECK(w.cell("instructions by kernel", "thread", {}, 1) == 20 * 128 * 9);
  }
}

TEST_CASE("isolated tools count the same") {
  const std::vector<std::string> tools = {"instruction_count", "opcode_histogram",
                                          "branch_divergence,depth=1", "race_check", "memory_divergence"};
  for (const std::string& tool : tools) {
    INFO(tool);
    const Grid grid{.ctas = 5, .threads = 96};
    const Watched here = watch(looping, {tool}, grid), apart = watch(looping, {tool + ",isolated"}, grid);
    CHECK(here.tools[0]["tables"] == apart.tools[0]["tables"]);
    CHECK(apart.tools[0]["detached"] == "");
  }
}

TEST_CASE("a Python tool gets NumPy batches") {
  const Watched w = watch(strided(8), {"python_lines"}, {.ctas = 50, .threads = 32});
  CHECK(w.tools[0]["detached"] == "");
  CHECK(w.cell("global memory", "requests") == 50);
  CHECK(w.cell("global memory", "lines") == 100);
}

TEST_CASE("a Python tool sees the rows of operands, in their types") {
  const Watched w =
      watch(strided(8), {WEDJAT_SOURCE_DIR "/tests/utilities/row_sums.py"}, {.ctas = 2, .threads = 64});
  CHECK(w.tools[0]["detached"] == "");
  CHECK(w.number("sums", "mul.wide.u32 %rd2, %r1, 8") == 2 * 8 * (63 * 64 / 2));
  CHECK(w.number("sums", "setp.eq.u32 %p1, %r2, 0") == 2 * 32);
  CHECK(w.number("sums", "@%p1 add.s32 %r1, %r1, 100") == 2 * (31 * 32 + 32 * 100));
}

TEST_CASE("a Python tool sees pieces") {
  const Watched w = watch(box_copy, {WEDJAT_SOURCE_DIR "/tests/utilities/piece_bytes.py"}, {.ctas = 3});
  CHECK(w.tools[0]["detached"] == "");
  CHECK(w.number("sums", "cp reads") == 3 * 48);
  CHECK(w.number("sums", "cp writes") == 3 * 128);
  CHECK(w.number("sums", "events") == 3);
}

TEST_CASE("NumPy scalars, negative numbers and what is no number stand in the tables of a Python tool") {
  const Watched w = watch(strided(8), {WEDJAT_SOURCE_DIR "/tests/utilities/numpy_cells.py"}, {.threads = 64});
  REQUIRE(w.tools[0]["detached"] == "");
  CHECK(w.cell("counts", "lanes") == 64);
  CHECK(w.cell("counts", "negative") == -5);
  CHECK(w.cell("counts", "half") == 0.5);
  CHECK(w.cell("counts", "is") == "True");
  CHECK(w.cell("counts", "nothing") == "None");
  CHECK(w.cell("counts", "nan").is_null() != w.cell("counts", "nan").is_number());
  CHECK(w.cell("counts", "infinite") == "inf");
  CHECK(w.cell("array", "b") == 2);
}

TEST_CASE("what nobody waits for, as memory of the heap, keeps its place among the events") {
  const std::string kernel = R"(.extern .func (.param .b64 r) malloc(.param .b64 size);
.extern .func free(.param .b64 pointer);
.visible .entry k(.param .u64 p) {
  .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .pred %q;
  mov.u32 %r1, 0;
L: { .param .b64 s; st.param.b64 [s], 24; .param .b64 r; call.uni (r), malloc, (s); ld.param.b64 %d1, [r]; }
  st.u32 [%d1+8], %r1; ld.u32 %r2, [%d1+8];
  { .param .b64 a; st.param.b64 [a], %d1; call.uni free, (a); }
  add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 100; @%q bra L; ret; })";
  const Watched w = watch(kernel, {"python_lines", "memory_check,isolated", "memory_check"}, {.threads = 64});
  CHECK(w.failure == "");
  for (std::size_t tool = 0; tool < 3; ++tool) CHECK(w.reports[tool].detached == "");
  CHECK(w.number("global memory", "st.u32 [%d1+8], %r1") == 200);
  CHECK(w.kinds(1) == w.kinds(2));
  CHECK(w.kinds(1).empty());
}
