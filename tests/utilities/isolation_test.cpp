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
  for (const char* at : {"kernel", "event", "finish"})
    for (const char* how :
         {"null_write", "wild_write",  "loop",        "sleep",        "allocate", "fork",    "thread",
          "exit",       "quick_exit",  "abort",       "throw",        "kill",     "recurse", "exec",
          "socket",     "create_file", "print",       "findings",     "close",    "talk",    "long_answer",
          "write_ring", "forge_tail",  "back_tail",   "write_rows",   "stop",     "drip",    "nested",
          "garbage",    "escapes",     "ptrace",      "parent",       "terminal", "shm",     "truncate",
          "files",      "priority",    "wrong_probe", "many_counters"}) {
      const bool slow = std::string(how) == "allocate" || std::string(how) == "findings";
      if ((slow || std::string(how) == "drip") && std::string(at) != "event") continue;
      INFO(at, " ", how);
      const Watched w = watch(strided(4), {hostile + "at=" + at + ",how=" + how, "instruction_count"}, grid);
      CHECK(w.failure.empty());
      CHECK(w.memory == plain.memory);
      CHECK(w.cell("instructions by kernel", "thread", {}, 1) == 20 * 128 * 9);
      for (const unsigned char c : to_text(w.reports[0])) CHECK((c >= ' ' || c == '\n'));
      if (std::string(how) == "stop" || std::string(how) == "drip" || std::string(how) == "loop" ||
          std::string(how) == "null_write" || std::string(how) == "abort")
        CHECK(w.tools[0]["detached"] != "");
    }
  CHECK_FALSE(std::filesystem::exists("hostile-was-here"));
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
