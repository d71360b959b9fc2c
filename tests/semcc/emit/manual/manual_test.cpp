#include "semcc/emit/manual/manual.h"

#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "semcc/cli/files.h"
#include "semcc/emit/text/source.h"
#include "tests/semcc/compile.h"

using namespace semcc;

namespace {

// As `wedjat fidelity --table` writes it.
const char* const table =
    "A GPU\texact\tbounded\tnot compared\tdiffers\tunsupported\n"
    "exact\t1024\tinteger arithmetic\tadd.s32\td.b32, s.b32, s.b32\n"
    "exact\t2048\tlogic/shift\tlop3.b32\td.b32, s.b32, s.b32, s.b32, #0x1b\n"
    "differs\t0\tlogic/shift\tlop3.b32\td.b32, s.b32, s.b32, s.b32, #0x7f\n"
    "exact\t512\tmemory\tst.global.wt.u32\t[g], s.b32\n"
    "not compared\t0\tparallel sync\tmembar.gl\t\n";

// As benchmarks/hopper/tables.py writes it.
const char* const times =
    "form\topcode\toperands\tinstructions\tlatency\tway\tinterval\tper_cycle\tmark\tdevice\n"
    "6\tadd.s32\td.b32, s.b32, s.b32\tIADD3\ts0>d0=4 s1>d0=4\t\t1.16\t1=0.865 8=3.44\t\tA1\n"
    "11\tadd.u32\td.b32, s.b32, s.b32\tIADD3\ts0>d0=4 s1>d0=4\t\t1.16\t1=0.865 8=3.44\t\tA1\n"
    "10\tst.relaxed.cluster.L1::evict_first.s64\t[gen], s.b64\tST\t\t\t8\t\t\tB2\n"
    "9\tst.global.wt.u32\t[g], s.b32\tSTG.E\t\t\t\t\tjoined\tB2\n";

// The same of another device.
const char* const times_beside =
    "form\topcode\toperands\tinstructions\tlatency\tway\tinterval\tper_cycle\tmark\tdevice\n"
    "6\tadd.s32\td.b32, s.b32, s.b32\tIADD3\ts0>d0=4 s1>d0=5\t\t1.16\t1=0.865 8=3.5\tjoined\tA1\n"
    "11\tadd.u32\td.b32, s.b32, s.b32\tIADD3\ts0>d0=4 s1>d0=4\t\t1.16\t1=0.865 8=3.44\t\tA1\n"
    "9\tst.global.wt.u32\t[g], s.b32\tSTG.E\ts0>d0=9\t\t4\t1=0.25 8=2\tfolded joined\tA1\n";

const char* const probes =
    "probe\tshape\tleast\tmedian\tmost\tdevice\n"
    "chase ld.global.b64 ring=8KiB\t1x1\t34\t34\t34\tB2\n"
    "chase ld.global.b64 ring=8KiB\t1*8\t34\t36\t40\tB2\n"
    "bulk cp.async.bulk.shared.global bytes=16\t1x1\t600\t610\t700\tB2\n";

const char* const probes_beside =
    "probe\tshape\tleast\tmedian\tmost\tdevice\n"
    "chase ld.global.b64 ring=8KiB\t1x1\t34\t33\t34\tA1\n";

emit::Kernels kernels() {
  return cli::example_kernels(cli::semantics_files({std::string(WEDJAT_SOURCE_DIR) + "/semantics"}));
}

struct Site {
  Site() : compiled(compile(cli::semantics_files({std::string(WEDJAT_SOURCE_DIR) + "/semantics"}))) {
    REQUIRE(compiled.diagnostics->text() == "");
    files = emit::emit_manual(compiled.program, kernels(), emit::read_evidence(table),
                              {.rows = emit::read_times(times),
                               .beside = emit::read_times(times_beside),
                               .probes = emit::read_probes(probes),
                               .probes_beside = emit::read_probes(probes_beside)});
  }
  Compiled compiled;
  std::map<std::string, std::string> files;
};

const Site& site() {
  static const Site site;
  return site;
}

// What `shape` captures in the text.
std::set<std::string> captures(const std::string& text, const char* shape) {
  const std::regex regex(shape);
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

bool resolves(const std::string& link, const std::string& from) {
  const std::size_t hash = link.find('#');
  const std::string page = hash == 0 ? from : link.substr(0, hash);
  const auto file = site().files.find(page);
  if (file == site().files.end()) return false;
  return hash == std::string::npos ||
         captures(file->second, "id=\"([^\"]*)\"").contains(link.substr(hash + 1));
}

// Opcodes with a form that is run, not only typed.
std::set<std::string> opcodes_that_run() {
  std::set<std::string> opcodes;
  for (const ir::Family& family : site().compiled.program.families)
    for (const ir::Form& form : family.forms)
      if (form.control != "refused") opcodes.insert(form.opcode);
  return opcodes;
}

}  // namespace

TEST_CASE("every opcode has a page with its syntax, semantics and forms") {
  std::set<std::string> opcodes;
  for (const ir::Family& family : site().compiled.program.families)
    for (const ir::Form& form : family.forms) opcodes.insert(form.opcode);
  CHECK(opcodes.size() > 80);
  for (const std::string& opcode : opcodes) {
    INFO(opcode);
    const auto page = site().files.find(opcode + ".html");
    REQUIRE(page != site().files.end());
    for (const char* part :
         {">Syntax</h3>", ">Semantics</h3>", ">Legality</h3>", ">Effects</h3>", "<summary>All "})
      CHECK(page->second.find(part) != std::string::npos);
    CHECK((page->second.find("<pre class=\"syntax\">" + opcode) != std::string::npos ||
           page->second.find("\n" + opcode) != std::string::npos));
  }
}

TEST_CASE("forms that the manual does not have are told apart") {
  const std::string& page = site().files.at("madc.html");
  const auto heading = [&](const std::string& form) {
    const std::size_t forms = page.find("<details class=\"forms\">");
    const std::size_t at = page.find(form + "\n", forms);
    const std::size_t last = at == std::string::npos ? page.find(form + "<", forms) : at;
    REQUIRE(last != std::string::npos);
    const std::size_t begin = page.rfind("<p>", last);
    return page.substr(begin, page.find("</p>", begin) - begin);
  };
  constexpr const char* told = "ptxas takes it, the PTX manual does not have it";
  CHECK(heading("madc.hi.sat.s32").find(told) != std::string::npos);
  CHECK(heading("madc.hi.u16").find(told) != std::string::npos);
  CHECK(heading("madc.hi.u32").find(told) == std::string::npos);
  CHECK(site().files.at("add.html").find("the PTX manual does not have it") == std::string::npos);
}

TEST_CASE("links lead to a page and a place in it, and nothing comes from the network") {
  std::size_t links = 0;
  for (const auto& file : site().files) {
    const std::string &name = file.first, &text = file.second;
    INFO(name);
    CHECK(text.find("http") == std::string::npos);
    if (!name.ends_with(".html")) continue;
    for (const std::string& link : captures(text, "(?:href|src)=\"([^\"]*)\"")) {
      INFO(link);
      CHECK(resolves(link, name));
      ++links;
    }
  }
  CHECK(links > 200);
  for (const std::string& link : captures(site().files.at("forms.js"), "\n\\['([^']*)'"))
    CHECK_MESSAGE(resolves(link, ""), link);
}

TEST_CASE("the page of special registers has a row for each, and the page of the device for each limit") {
  const ir::Program& program = site().compiled.program;
  CHECK(program.specials.size() > 40);
  const std::string& registers = site().files.at("special_registers.html");
  for (const ir::Special& special : program.specials)
    CHECK_MESSAGE(registers.find("<tr id=\"" + emit::escape_html(special.name) + "\">") != std::string::npos,
                  special.name);
  for (const ir::Source& source : program.sources)
    CHECK_MESSAGE(registers.find("<code>" + source.name + "</code>") != std::string::npos, source.name);
  REQUIRE(program.devices.size() == 1);
  const std::string& device = site().files.at("device.html");
  for (const ir::Limit& limit : program.devices.front().limits)
    CHECK_MESSAGE(device.find("<code>" + limit.name + "</code>") != std::string::npos, limit.name);
}

TEST_CASE("a link to nowhere is noticed") {
  CHECK_FALSE(resolves("nowhere.html", "index.html"));
  CHECK_FALSE(resolves("add.html#nowhere", "index.html"));
}

TEST_CASE("the search knows every form") {
  std::map<std::string, std::set<std::string>> forms;  // by page and place, unpacked as search.js does
  const std::string& text = site().files.at("forms.js");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t between = line.find("', '");
    if (between == std::string::npos) continue;
    std::istringstream packed(line.substr(between + 4, line.rfind('\'') - between - 4));
    std::string form;
    for (std::string word; packed >> word;) {
      form = form.substr(0, std::stoul(word.substr(0, 2), nullptr, 16)) + word.substr(2);
      forms[line.substr(2, between - 2)].insert(form);
    }
  }
  for (const ir::Family& family : site().compiled.program.families)
    for (const ir::Form& form : family.forms)
      if (!forms[form.opcode + ".html#" + family.name].contains(form.text())) FAIL_CHECK(form.text());
  CHECK(text.size() < 400000);
}

TEST_CASE("rules, faults and open results are told apart") {
  const auto section = [&](const std::string& page, const std::string& id) -> std::string {
    const std::string& text = site().files.at(page);
    const std::size_t begin = text.find("<h3 id=\"" + id + "\">");
    return begin == std::string::npos ? "" : text.substr(begin, text.find("</ul>", begin) - begin);
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(section("shfl.html", "shfl.sync-rules"), "<li>the mask names every lane that executes it</li>"));
  CHECK(has(section("shfl.html", "shfl.sync-unspecified-results"),
            "<li>The lane that is read does not execute"));
  CHECK(has(section("mma.html", "mma.half-rules"), "<li>all lanes of the warp execute mma together</li>"));
  CHECK(section("mma.html", "mma.half-faults").empty());
  CHECK(has(section("cp.html", "cp.async-rules"), "<li>cp.async copies 4, 8 or 16 bytes, .cg 16</li>"));
  CHECK(has(section("cp.html", "cp.async-faults"), "<li>src-size is greater than cp-size</li>"));
  CHECK(has(section("atom.html", "atom-faults"), "<li>misaligned address</li>"));
  CHECK(section("atom.html", "atom-rules").empty());
  CHECK(has(section("sust.html", "sust-faults"), "with .trap, a place outside"));
  CHECK(section("add.html", "add-faults").empty());
}

TEST_CASE("operands say where addresses point") {
  CHECK(site().files.at("atom.html").find("<td>address: global, shared, shared::cluster, generic</td>") !=
        std::string::npos);
}

TEST_CASE("what an instruction does stands in the index and under its heading") {
  const auto& files = site().files;
  for (const ir::Family& family : site().compiled.program.families) {
    INFO(family.name);
    const std::string summary = emit::escape_html(family.summary);
    CHECK(files.at("index.html").find("<td>" + summary + "</td>") != std::string::npos);
    const std::string& page = files.at(family.forms.front().opcode + ".html");
    const std::size_t heading = page.find("<h2><a href=\"#" + family.name + "\">");
    REQUIRE(heading != std::string::npos);
    CHECK(page.find("<p class=\"summary\">" + summary + "</p>", heading) < page.find("<h3 ", heading));
  }
}

TEST_CASE("of forms that are not run the page says so, and why") {
  CHECK(opcodes_that_run().count("tcgen05") == 0);
  CHECK(site().files.at("tcgen05.html").find("<span class=\"badge mixed\">typed, not run</span>") !=
        std::string::npos);
  CHECK(site().files.at("tcgen05.html").find("parsed and typed, not run: tensor memory is not modelled") !=
        std::string::npos);
}

TEST_CASE("every opcode has an example that was run, and an example uses what it is named after") {
  for (const auto& entry : kernels()) {
    const std::string& name = entry.first;
    const emit::Kernel& kernel = entry.second;
    INFO(kernel.path);
    const std::string opcode = name.substr(0, name.find('.'));
    CHECK(std::regex_search(kernel.text, std::regex("\n *(@!?%\\w+ )?" + opcode + "[.; ]")));
    const std::string& page = site().files.at(opcode + ".html");
    CHECK(page.find(kernel.path) != std::string::npos);
    const std::size_t at = page.find(kernel.path), begin = page.rfind("three host threads", at);
    REQUIRE(begin != std::string::npos);
    CHECK((page.substr(begin, at - begin).find("NVIDIA H200, CUDA 13.0") != std::string::npos) ==
          (kernel.text.find("// hardware: ") != std::string::npos));
  }
  for (const std::string& opcode : opcodes_that_run()) {
    const std::string& text = site().files.at(opcode + ".html");
    CHECK_MESSAGE(
        (text.find(">Examples</h3>") != std::string::npos || text.find(">Example</h3>") != std::string::npos),
        opcode);
  }
}

TEST_CASE("an opcode without an example is refused, and so is an example of nothing") {
  const ir::Program& program = site().compiled.program;
  emit::Kernels all = kernels();
  all.erase("trap");
  CHECK_THROWS_WITH(emit::emit_manual(program, all),
                    "trap has neither an `example` nor a kernel examples/trap.ptx");
  all = kernels();
  all["nothing"] = {"nothing.ptx", "// Nothing.\n"};
  CHECK_THROWS_WITH(emit::emit_manual(program, all),
                    "nothing.ptx: no instruction and no opcode is called nothing");
  all = kernels();
  all["trap"] = {"trap.ptx", ".version 8.0\n"};
  CHECK_THROWS_WITH(emit::emit_manual(program, all),
                    "trap.ptx:1: the first line is a comment that says what is shown");
}

TEST_CASE("what hardware said stands on the pages") {
  const std::string& add = site().files.at("add.html");
  CHECK(add.find("hardware: exact, 1,024 outputs</p>") != std::string::npos);
  CHECK(add.find("A GPU") != std::string::npos);
  // One of its two rows differs.
  CHECK(site().files.at("lop3.html").find("hardware: 1 of 2 exact, 2,048 outputs</p>") != std::string::npos);
  CHECK(site().files.at("index.html").find("<span class=\"badge mixed\">1 of 2 exact</span>") !=
        std::string::npos);
  // Rows are spelled with hints.
  CHECK(site().files.at("st.html").find("hardware: exact, 512 outputs</p>") != std::string::npos);
  const std::string& sums = site().files.at("fidelity.html");
  CHECK(sums.find(
            "<tr><td>logic/shift</td><td>1</td><td></td><td></td><td>1</td><td></td><td>2,048</td></tr>") !=
        std::string::npos);
  CHECK(sums.find("<tr><td>all</td><td>3</td><td></td><td>1</td><td>1</td><td></td><td>3,584</td></tr>") !=
        std::string::npos);
  CHECK(captures(sums, "href=\"([^\"]*)\"").contains("membar.html"));
}

TEST_CASE("a table that is none is refused, with its line") {
  CHECK_THROWS_WITH(emit::read_evidence("A GPU\texact\nexact\tmany\tx\ty\tz\n"),
                    "line 2 is no line of evidence");
  CHECK_THROWS_WITH(emit::read_evidence("A GPU\texact\nexact\n"), "line 2 is no line of evidence");
}

TEST_CASE("a page says what its forms take in time; forms of equal times stand together") {
  const std::string& add = site().files.at("add.html");
  CHECK(add.find("<td><pre>add.u32 d.b32, s.b32, s.b32\nadd.s32 d.b32, s.b32, s.b32</pre></td>"
                 "<td data-head=\"latency\">s0&gt;d0=4 s1&gt;d0=4</td><td data-head=\"interval\">1.16</td>"
                 "<td data-head=\"instances a cycle\">1=0.865 8=3.44</td><td "
                 "data-head=\"measured on\">A1</td><td data-head=\"A1\">this row</td><td "
                 "data-head=\"machine\"><code>IADD3</code>") != std::string::npos);
  CHECK(add.find("<th>measured on</th><th>an A1 has otherwise</th>") != std::string::npos);
  // Rows are spelled with hints.
  CHECK(site().files.at("st.html").find("<pre>st.global.wt.u32 [g], s.b32</pre>") != std::string::npos);
  // "cluster" is a hint of another form.
  CHECK(site().files.at("st.html").find("<pre>st.relaxed.cluster.L1::evict_first.s64 [gen], s.b64</pre>") !=
        std::string::npos);
  CHECK(site().files.at("sub.html").find("times.html") == std::string::npos);
  CHECK(site()
            .files.at("times.js")
            .find("['add.html','add.s32','d.b32, s.b32, s.b32','s0>d0=4 "
                  "s1>d0=4','1.16','3.44','A1','IADD3','','s0>d0=4 s1>d0=5','=','3.5'],\n") !=
        std::string::npos);
  CHECK(site().files.at("index.html").find("href=\"times.html\"") != std::string::npos);
  const std::string& method = site().files.at("times_method.html");
  CHECK(method.find("Known errors") != std::string::npos);
  CHECK(method.find("<h3>How good the numbers are</h3>") != std::string::npos);
  CHECK(method.find("<td><code>interval</code></td>") != std::string::npos);
  for (const char* const raw : {"\n#", "|--", "](", "`", "**"})
    CHECK_MESSAGE(method.find(raw) == std::string::npos, raw);
}

TEST_CASE("a page says what another device has otherwise, and the table of all forms both") {
  const std::string& st = site().files.at("st.html");
  CHECK(st.find("<td data-head=\"A1\">s0&gt;d0=9 interval=4 1=0.25 8=2 (folded)</td>") != std::string::npos);
  CHECK(st.find("<td data-head=\"measured on\">B2</td><td data-head=\"A1\"></td>") != std::string::npos);
  const std::string& page = site().files.at("times.html");
  CHECK(page.find("<th>measured on</th><th>latency, A1</th><th>interval, A1</th><th>instances, A1</th>") !=
        std::string::npos);
  const emit::TimesRow row{"1", "add", "", "IADD3", "s0>d0=4", "", "1", "1=1", "", "B2"};
  emit::TimesRow other = row;
  CHECK(emit::differing(row, other) == "the same");
  other.interval = "1.004";  // as two runs differ
  CHECK(emit::differing(row, other) == "the same");
  other.interval = "";
  CHECK(emit::differing(row, other) == "interval=?");
}

TEST_CASE("a page says what probes of its forms found, also of forms that a probe names in part") {
  CHECK(site().files.at("ld.html").find("<td><code>ld.global.b64</code></td><td>chase "
                                        "ring=8KiB</td><td>1x1=34 1*8=36</td><td>B2</td><td>1x1=33</td>") !=
        std::string::npos);
  CHECK(site().files.at("cp.html").find("<td>bulk bytes=16</td><td>1x1=610</td>") != std::string::npos);
  CHECK(site().files.at("st.html").find("chase") == std::string::npos);
  CHECK(site()
            .files.at("times.js")
            .find("['ld.html','ld.global.b64','chase ring=8KiB','1x1=34 "
                  "1*8=36','','','B2','','probe','1x1=33','',''],\n") != std::string::npos);
}

TEST_CASE("a table of probes that is none is refused, with its line") {
  CHECK_THROWS_WITH(emit::read_probes("probe\tshape\n"), "line 1 is no line of probes");
  CHECK_THROWS_WITH(emit::read_probes(std::string(probes) + "chase\t1x1\n"), "line 5 is no line of probes");
}

TEST_CASE("a table of times that is none is refused, with its line") {
  CHECK_THROWS_WITH(emit::read_times("form\topcode\n"), "line 1 is no line of times");
  CHECK_THROWS_WITH(emit::read_times(std::string(times) + "7\tadd.s32\n"), "line 6 is no line of times");
  CHECK_THROWS_WITH(emit::read_times(std::string(times).substr(5)), "line 1 is no line of times");
}
