// Tools on the command line: how they end, what they choose, what they print.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/command.h"

namespace {

const char* const store = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret; }
)";

struct Run {
  Folder folder;
  std::string line = "run " + folder.file("k.ptx", store) + " --entry k --block 64 --arg zeros:256 ";
  Outcome with(const std::string& options) const { return wedjat(line + options); }
  Outcome tool(const std::string& spec) const { return with("--tool " + spec); }
  /// A Python tool of this text.
  std::string python(const std::string& name, const std::string& text) const {
    return folder.file(name + ".py", text);
  }
};

bool says(const Outcome& outcome, const std::string& what) {
  INFO(outcome.output);
  const bool found = outcome.output.find(what) != std::string::npos;
  CHECK_MESSAGE(found, what);
  return found;
}

}  // namespace

TEST_CASE("the list of tools is the same for people and machines") {
  const Outcome table = wedjat("tools --options"), listed = wedjat("tools --json");
  REQUIRE((table.code == 0 && listed.code == 0));
  const nlohmann::json tools = nlohmann::json::parse(listed.output);
  std::string expected;
  for (const auto& tool : tools) {
    expected +=
        fmt::format("{:<20} {}\n", tool.at("name").get<std::string>(), tool.at("summary").get<std::string>());
    if (const std::string options = tool.at("options"); !options.empty())
      expected += fmt::format("{:<20}   {}\n", "", options);
    CHECK(std::filesystem::exists(tool.at("file").get<std::string>()));
  }
  CHECK(expected == table.output);
  const auto tool = [&](const std::string& name) {
    return *std::find_if(tools.begin(), tools.end(), [&](const auto& one) { return one.at("name") == name; });
  };
  CHECK(tool("memory_check").at("checks") == true);
  CHECK(tool("instruction_count").at("checks") == false);
  CHECK(tool("python_lines").at("python") == true);
  CHECK(tool("race_check").at("python") == false);
}

TEST_CASE("a tool that dies ends the run with 7, however it dies") {
  const Run run;
  for (const std::string how :
       {"exit", "quick_exit", "exit_group", "abort", "throw", "null_write", "deadly_signal", "stop"})
    for (const std::string at : {"create", "kernel", "event", "finish", "destroy"})
      for (const std::string where : {",", ",isolated,timeout=5,"}) {
        if (at == "destroy" && where != "," && (how.ends_with("exit") || how == "exit_group"))
          continue;  // it has told all, and ends well
        INFO(how, " at ", at, where);
        const Outcome outcome = run.tool(std::string(WEDJAT_HOSTILE) + where + "how=" + how + ",at=" + at);
        CHECK(outcome.code == 7);
        says(outcome, "hostile");
      }
  CHECK(run.tool(std::string(WEDJAT_HOSTILE) + ",isolated,timeout=0.5,how=sleep").code == 7);
  CHECK(run.tool(std::string(WEDJAT_HOSTILE) + ",how=nothing").code == 0);
  CHECK(run.tool(run.python("broken", "def kernel(k: return []")).code == 7);
}

TEST_CASE("a refusal names the tool once, wherever the tool runs") {
  const Run run;
  for (const char* where : {"", ",isolated"}) {
    const Outcome outcome = run.tool(std::string("memory_check,color=red") + where);
    CHECK(outcome.code == 2);
    says(outcome, "wedjat: error: tool memory_check: no option 'color'");
  }
}

TEST_CASE("a signal that asks to end behind the last launch is told by the exit code") {
  const Run run;
  for (const std::string at : {"kernel", "event", "finish"}) {
    INFO(at);
    CHECK(run.tool(WEDJAT_HOSTILE ",how=terminate,at=" + at).code == 143);
    CHECK(run.tool(WEDJAT_HOSTILE ",isolated,timeout=5,how=terminate,at=" + at).code == 7);
  }
}

TEST_CASE("a checker that died found no errors, and does not say so") {
  const Run run;
  for (const std::string how : {"throw", "exit"}) {
    const Outcome outcome =
        run.tool(std::string(WEDJAT_HOSTILE_CHECKER) + ",isolated,timeout=5,at=finish,how=" + how);
    CHECK(outcome.code == 7);
    CHECK(outcome.output.find("no errors") == std::string::npos);
  }
  says(run.tool(std::string(WEDJAT_HOSTILE_CHECKER) + ",isolated"), "no errors");
}

TEST_CASE("a table whose cells fill no rows is none, and the tool that made it is done without") {
  const Run run;
  for (const std::string tier : {"", ",isolated"}) {
    CAPTURE(tier);
    const std::string tool = std::string(WEDJAT_HOSTILE_CHECKER) + tier + ",at=finish,how=";
    const Outcome none = run.tool(tool + "no_columns"), few = run.tool(tool + "odd_row");
    CHECK(none.code == 7);
    says(none, "its table 'odd' has 2 cells for 0 columns");
    CHECK(few.code == 7);
    says(few, "its table 'odd' has 2 cells for 3 columns");
    CHECK(few.output.find("no errors") == std::string::npos);
  }
}

TEST_CASE("a checker that found nothing says what it looked at") {
  const Run run;
  const Outcome all = run.with("--check");
  CHECK(all.code == 0);
  for (const char* name : {"memory_check", "race_check"})
    says(all, std::string(name) + ":\n  no errors: 1 launch watched, with 64 accesses to memory\n");
  says(run.tool("race_check,warps=1"), "no errors: 1 launch watched, with 32 accesses to memory\n");
  says(run.tool("race_check,isolated"), "no errors: 1 launch watched, with 64 accesses to memory\n");
  const Outcome json = run.with("--check --json");
  const auto tools = nlohmann::json::parse(json.output).at("tools");
  REQUIRE(tools.size() >= 2);
  for (const auto& tool : tools) {
    CHECK(tool["launches"] == 1);
    if (tool["tool"] == "memory_check" || tool["tool"] == "race_check") CHECK(tool["accesses"] == 64);
  }
}

// That a run of this text with this tool takes.
double processor_seconds(const Run& run, const std::string& text, const std::string& tool) {
  const std::string file = run.folder.file("long.ptx", text);
  const auto spent = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  const double before = spent();
  CHECK(wedjat("run " + file + " --entry k --block 32 --arg zeros:64 --tool " + tool).code == 0);
  return spent() - before;
}

// Whether eight times the size takes less than 24 times the processor time. Time in proportion to the size
// lies a factor of three below that and time that grows with its square nearly as far above: other load on
// the machine may make a run take twice its time, so one of three tries decides.
template <typename Seconds>
bool in_proportion(const Seconds& seconds, int size) {
  for (int tries = 0; tries < 3; ++tries)
    if (seconds(8 * size) < 24 * seconds(size)) return true;
  return false;
}

TEST_CASE("what a Python tool is told of a kernel takes time in proportion to its length") {
  const Run run;
  const std::string tool = run.python("nothing", "def kernel(k): return []\n") + ",timeout=200";
  const auto seconds = [&](int stores) {
    std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [p]; mov.u32 %r, %tid.x;\n";
    for (int i = 0; i < stores; ++i) text += "st.global.u32 [%d], %r;\n";
    return processor_seconds(run, text + "ret; }\n", tool);
  };
  CHECK(in_proportion(seconds, 5000));
}

TEST_CASE("memory_check takes time in proportion to functions and calls") {
  const Run run;
  // `deep`: each function calls the one before it, and the kernel the last; else the kernel calls all.
  const auto seconds = [&](int count, bool deep) {
    const auto call = [](int function) {
      return fmt::format(
          "{{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r; call (q), f{}, (p); ld.param.b32 %r, [q]; "
          "}}\n",
          function);
    };
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (int i = 0; i < count; ++i)
      text += fmt::format(
          ".func (.param .b32 out) f{}(.param .b32 in) {{ .reg .b32 %r; ld.param.b32 %r, [in];\n"
          "{} st.param.b32 [out], %r; ret; }}\n",
          i, deep && i > 0 ? call(i - 1) : "");
    text +=
        ".visible .entry k(.param .u64 to) { .reg .b64 %d; .reg .b32 %r; ld.param.u64 %d, [to];\n"
        "mov.u32 %r, %tid.x;\n";
    for (int i = deep ? count - 1 : 0; i < count; ++i) text += call(i);
    return processor_seconds(run, text + "st.global.u32 [%d], %r; ret; }\n", "memory_check");
  };
  CHECK(in_proportion([&](int count) { return seconds(count, false); }, 1000));
  CHECK(in_proportion([&](int count) { return seconds(count, true); }, 500));
}

TEST_CASE("a failure of the kernel is a finding in one line") {
  const Run run;
  const auto said = [&](const std::string& body) {
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .pred %q; .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p]; mov.u32 %r, %tid.x;\n" +
        body + "\nret; }\n";
    return wedjat("run " + run.folder.file("f.ptx", text) +
                  " --entry k --block 64 --arg zeros:256 --step-limit 1000 --tool memory_check");
  };
  says(said("trap;"), "error [trap]: the kernel ended itself\n");
  says(said("ld.global.u32 %r, [%d+256];"), "error [access-out-of-bounds]: 4 bytes at global address 0x");
  says(said("L: bra L;"),
       "error [step-limit-reached]: the CTA ran more than 1000 steps; kernel k; CTA (0,0,0); warp 0 ");
}

TEST_CASE("options that choose nothing of the program are told, and end with 2") {
  const Run run;
  for (const std::string options : {"kernel=nomatch", "launches=100-200", "ctas=1", "warps=5-6"})
    for (const std::string tool : {"race_check,", "instruction_count,", "race_check,isolated,"}) {
      const Outcome outcome = run.tool(tool + options);
      INFO(outcome.output);
      CHECK(outcome.code == 2);
      CHECK(outcome.output.find("it watched nothing: " + options + ": ") != std::string::npos);
      CHECK(outcome.output.find("no errors") == std::string::npos);
    }
  CHECK(run.tool("race_check,kernel=k*,launches=0-5,ctas=0,warps=1-9,sample=3").code == 0);
  CHECK(run.tool("race_check,kernel=k,kernel=nomatch").code == 2);
}

TEST_CASE("two tools cannot write one file") {
  const Run run;
  const std::string file = (run.folder.path / "out").string();
  const std::string same = (run.folder.path / "." / "out").string();
  CHECK(run.with("--tool instruction_count,html=" + file + " --tool opcode_histogram,html=" + same).code ==
        2);
  CHECK(run.with("--tool memory_trace,file=" + file + " --tool register_trace,file=" + file).code == 2);
  CHECK(run.with("--tool memory_trace,file=" + file + " --tool opcode_histogram,html=" + file).code == 2);
  CHECK(run.with("--tool memory_trace,file=" + file + " --tool opcode_histogram,html=" + file + "2").code ==
        0);
  std::filesystem::create_hard_link(file, file + "3");
  CHECK(run.with("--tool memory_trace,file=" + file + " --tool opcode_histogram,html=" + file + "3").code ==
        2);
  CHECK(run.with("--tool opcode_histogram,html=" + file + " --html " + same).code == 2);
  std::filesystem::create_symlink("later", file + "4");
  CHECK(run.with("--tool opcode_histogram,html=" + (run.folder.path / "later").string() +
                 " --tool instruction_count,html=" + file + "4")
            .code == 2);
  // Names without a folder, of a file that is not there yet.
  CHECK(run.with("--tool opcode_histogram,html=not_there_yet --html ./not_there_yet").code == 2);
}

TEST_CASE("nothing is written over the kernel that is run") {
  const Run run;
  const std::string input = (run.folder.path / "k.ptx").string();
  for (const std::string option : {"--html ", "--tool opcode_histogram,html=", "--tool memory_trace,file="})
    CHECK(run.with(option + input).code == 2);
  CHECK(run.with("").code == 0);
}

TEST_CASE("a file that a tool cannot write is 3") {
  const Run run;
  for (const std::string tool : {"memory_trace", "register_trace", "warp_timeline"}) {
    CHECK(run.tool(tool + ",file=/no/such/folder/x").code == 3);
    CHECK(run.tool(tool + ",file=/dev/full").code == 3);
  }
  CHECK(run.tool("memory_trace,isolated,file=" + (run.folder.path / "x").string()).code == 3);
  CHECK(run.tool("memory_trace").code == 2);
}

TEST_CASE("what is no tool is told, and not waited for") {
  const Run run;
  const std::string pipe = (run.folder.path / "pipe.so").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& file : {pipe, run.folder.path.string()}) {
    const Outcome outcome = run.tool(file);
    CHECK(outcome.code == 2);
    says(outcome, "no regular file");
  }
  setenv("WEDJAT_TOOL_PATH", run.folder.path.c_str(), 1);
  CHECK(wedjat("tools").code == 0);
  unsetenv("WEDJAT_TOOL_PATH");
}

TEST_CASE("a tool that dies while it is loaded ends the run with 7") {
  const Run run;
  const std::string library = (run.folder.path / "early.so").string();
  for (const std::string how : {"*(volatile int*)8 = 1", "_exit(0)", "exit(0)", "abort()"}) {
    const std::string source = run.folder.file("early.c",
                                               "#include <stdlib.h>\n#include <unistd.h>\n"
                                               "__attribute__((constructor)) static void early(void) { " +
                                                   how + "; }\n");
    REQUIRE(shell("cc -shared -fPIC -w " + source + " -o " + library).code == 0);
    for (const std::string where : {"", ",isolated"}) {
      INFO(how, where);
      CHECK(run.tool(library + where).code == 7);
    }
    setenv("WEDJAT_TOOL_PATH", run.folder.path.c_str(), 1);
    CHECK(wedjat("tools").code == 7);
    unsetenv("WEDJAT_TOOL_PATH");
  }
  // Cut in the middle of what the loader maps.
  std::string some(1000, 0);
  std::ifstream("/bin/true", std::ios::binary).read(some.data(), 1000);
  const Outcome cut = run.tool(run.folder.file("cut.so", some));
  CHECK((cut.code == 7 || cut.code == 2));
  says(cut, "cut");
}

TEST_CASE("a file of suppressions is opened, and is one") {
  const Run run;
  const std::string good = run.folder.file("good", "# a comment\n\nleak\nshared-race k*\n");
  for (const char* check : {"", "--check ", "--tool instruction_count "}) {
    CHECK(run.with(std::string(check) + "--suppress /no/such/file").code == 3);
    CHECK(run.with(std::string(check) + "--suppress " + run.folder.path.string()).code == 3);
    for (const char* text : {"one two three",
                             "\x7f"
                             "ELF\1\2",
                             ".version 8.0", "leak k\nanother; kind"})
      CHECK(run.with(std::string(check) + "--suppress " + run.folder.file("bad", text)).code == 3);
  }
  CHECK(run.with("--suppress " + good).code == 2);
  const Outcome used = run.with("--check --suppress " + good);
  CHECK(used.code == 0);
  says(used, "good:3: 'leak' covered no finding");
  says(used, "good:4: 'shared-race k*' covered no finding");
}

TEST_CASE("a name means one tool") {
  const Run run;
  const auto tools = run.folder.path / "tools";
  std::filesystem::create_directories(tools);
  const auto with_path = [&](const std::string& arguments) {
    setenv("WEDJAT_TOOL_PATH", tools.c_str(), 1);
    Outcome outcome = wedjat(arguments);
    unsetenv("WEDJAT_TOOL_PATH");
    return outcome;
  };
  std::ofstream(tools / "mine.py") << "\"\"\"sees what I want\"\"\"\ndef kernel(k): return []\n";
  const Outcome list = with_path("tools");
  CHECK(list.code == 0);
  CHECK(std::regex_search(list.output, std::regex("\nmine +sees what I want\n")));
  CHECK(std::regex_search(list.output, std::regex("\npython_lines +cache lines per warp")));
  CHECK(with_path(run.line + "--tool mine").code == 0);
  std::filesystem::copy(WEDJAT_HOSTILE, tools / "race_check.so");
  for (const std::string& arguments :
       {std::string("tools"), run.line + "--check", run.line + "--tool race_check"}) {
    const Outcome outcome = with_path(arguments);
    CHECK(outcome.code == 2);
    says(outcome, "tool race_check: there are two");
  }
  // By its path it stands beside the checker of that name, not in its place.
  const Outcome both = run.with("--check --tool " + (tools / "race_check.so").string());
  says(both, "race_check:\n  no errors");
  says(both, "hostile:");
}

TEST_CASE("what a Python tool prints and where it fails is shown whole") {
  const Run run;
  std::string deep = "def kernel(k):\n  print('kernel', k['name'])\n  f0()\n";
  for (int i = 0; i < 40; ++i)
    deep += "def f" + std::to_string(i) + "():\n  f" + std::to_string(i + 1) + "()\n";
  deep += "def f40():\n  raise ValueError('at the bottom')\n";
  const Outcome failed = run.tool(run.python("deep", deep));
  CHECK(failed.code == 7);
  says(failed, "kernel k\n");
  for (int i = 0; i < 40; ++i) says(failed, "in f" + std::to_string(i) + "\n");
  says(failed, "\nValueError: at the bottom\n");
  // What is JSON stays so.
  const std::string talks = run.python("talks", "print('\\x1b[2Jloaded')\ndef kernel(k): return []\n");
  const Outcome outcome = wedjat(run.line + "--json --tool " + talks + " 2>/dev/null");
  CHECK(nlohmann::json::parse(outcome.output).at("kernel") == "k");
  says(run.tool(talks), "?[2Jloaded\n");
}

TEST_CASE("a Python tool that asks for what there is not is told what it lacks") {
  const Run run;
  const std::string kernel = "def kernel(k): return [dict(instruction=";
  const auto fails = [&](const char* name, const std::string& text, const std::string& why) {
    const Outcome outcome = run.tool(run.python(name, text));
    CHECK(outcome.code == 7);
    says(outcome, why);
  };
  fails("beyond", kernel + "len(k['instructions']))]\n", "kernel(): k has no instruction 6");
  fails("before", kernel + "-1)]\n", "kernel(): k has no instruction -1");
  fails("early", kernel + "0, needs='pieces')]\n", "'pieces' are known after the instruction: after=True");
  fails("number", "def kernel(k): return 5\n", "kernel(): 5 is no list of probes");
  fails("numbers", "def kernel(k): return [5]\n", "kernel(): [5] is no list of probes");
  fails("list", "def finish(): return [1, 2]\n", "finish(): no dictionary of tables");
  const std::string stores =
      "from wedjat_tool import STORE\ndef kernel(k): return [dict(instruction=i['id'], "
      "needs='addresses') for i in k['instructions'] if i['what'] & STORE]\n";
  fails("rows", stores + "def batch(e): e.row(1)\n", "row(1, 0): a probe that needs 'rows' shows it");
  fails("pieces", stores + "def batch(e): e.pieces\n", "pieces: a probe that needs 'pieces' shows them");
}

TEST_CASE("numbers of tools' options are whole, and fit") {
  const Run run;
  CHECK(run.tool("launch_time,sms=0x6").code == 0);
  for (const std::string wrong : {"-1", "+1", " 1", "99999999999999999999", "1.5", "many"}) {
    const Outcome outcome = run.tool("'launch_time,sms=" + wrong + "'");
    CHECK(outcome.code == 2);
    says(outcome, "option sms: '" + wrong + "' is no number from 0 to 2^64 - 1");
  }
}

TEST_CASE("options of Python tools: those it has, and its time") {
  const Run run;
  const std::string tool = run.python("sleeps",
                                      "import time\noptions = {'seconds': '0'}\n"
                                      "def kernel(k): time.sleep(float(options['seconds']))\n");
  CHECK(run.tool(tool).code == 0);
  CHECK(run.tool(tool + ",seconds=1,timeout=30").code == 0);
  CHECK(run.tool(tool + ",seconds=20,timeout=0.5").code == 7);
  const Outcome misspelt = run.tool(tool + ",second=1");
  CHECK(misspelt.code == 2);
  says(misspelt, "no option 'second'; it has: seconds");
  for (const char* wrong : {"soon", "", "0", "-1", "nan"})
    CHECK(run.tool(tool + ",timeout=" + wrong).code == 2);
}

TEST_CASE("a Python tool that defines none of its functions is told: it would watch nothing") {
  const Run run;
  for (const std::string text :
       {"", "def kernels(k): return []\ndef finnish(): return {}\n", "batch = 5\n"}) {
    const Outcome outcome = run.tool(run.python("misspelt", text));
    CHECK(outcome.code == 2);
    says(outcome, "it defines none of kernel(), launch(), batch(), finish()");
  }
}

TEST_CASE("the example of utilities/PYTHON.md does what it says") {
  const Run run;
  std::ifstream in(WEDJAT_SOURCE_DIR "/utilities/PYTHON.md");
  std::string line, source, told;
  std::string* to = nullptr;
  while (std::getline(in, line)) {
    if (line.starts_with("```"))
      to = to != nullptr ? nullptr : line == "```python" ? &source : line == "```text" ? &told : nullptr;
    else if (to != nullptr)
      *to += line + "\n";
  }
  REQUIRE(!source.empty());
  REQUIRE(!told.empty());
  const Outcome outcome = run.tool(run.python("stores", source) + ",bits=8");
  CHECK(outcome.code == 0);
  says(outcome, told);
}
