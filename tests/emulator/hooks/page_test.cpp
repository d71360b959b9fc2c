// Pages of reports: nothing a recording holds is markup, and the data is all there.
#include "emulator/hooks/page/page.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace wedjat::hooks;

namespace {

nlohmann::json data_of(const std::string& html) {
  const std::string open = "id=\"data\">";
  const std::size_t from = html.find(open) + open.size(), to = html.find("</script>", from);
  REQUIRE(to != std::string::npos);
  return nlohmann::json::parse(html.substr(from, to - from));
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a page holds facts, tables in their order, findings and code") {
  Page page;
  page.title = "replay";
  page.facts = {{"device", "an H200"}};
  page.tables = {{"copies", {"seq", "bytes"}, {Cell(std::uint64_t{7}), Cell(0.25)}}};
  Report report;
  report.tool = "race_check";
  report.errors = 1;
  report.findings = {{"error", "shared-race", "read after write", "k", "ld.shared.u32 %r1, [%r2];", "k.ptx",
                      "k.cu", 12, 3, 4, 5}};
  page.tools = {{report, "*requests*: <b>warp</b> accesses. [x](javascript:alert(1))"}};
  page.kernels = {{"k", "k.ptx", {{12, 0, "ret;", "k.cu", 3, "k.cu:3"}}}};
  const nlohmann::json data = data_of(to_html(page));
  CHECK(data["facts"][0] == nlohmann::json{"device", "an H200"});
  CHECK(data["tables"][0]["columns"] == nlohmann::json{"seq", "bytes"});
  CHECK(data["tables"][0]["rows"][0] == nlohmann::json{7, 0.25});
  const nlohmann::json tool = data["tools"][0];
  CHECK(tool["findings"][0]["source_line"] == 3);
  CHECK(tool["notes"][0] == "1 error, 0 warnings (1 shown), 0 suppressed");
  CHECK(tool["definitions"].get<std::string>().find("<em>requests</em>") != std::string::npos);
  CHECK(tool["definitions"].get<std::string>().find("<b>") == std::string::npos);
  CHECK(tool["definitions"].get<std::string>().find("javascript") == std::string::npos);
  CHECK(data["kernels"][0]["lines"][0]["place"] == "k.cu:3");
}

TEST_CASE("names cannot end the data or the title") {
  const std::string hostile = "</script></title><script>alert(1)</script><!--";
  Page page;
  page.title = hostile;
  page.facts = {{"program", hostile}};
  page.kernels = {{hostile, hostile, {{1, 0, hostile, hostile, 1, hostile}}}};
  Page harmless;
  const std::string html = to_html(page);
  CHECK(count(html, "<script") == count(to_html(harmless), "<script"));
  CHECK(count(html, "</script") == count(to_html(harmless), "</script"));
  CHECK(count(html, "<!--") == 0);
  CHECK(data_of(html)["facts"][0][1] == hostile);
}

TEST_CASE("bytes that are no UTF-8 do not spoil a page") {
  Page page;
  page.facts = {{"program", "\xff\xfe"}};
  CHECK(data_of(to_html(page))["facts"][0][1] == "\\xff\\xfe");
}

TEST_CASE("what controls a terminal or turns the direction of writing is shown on a page, whoever chose it") {
  const std::string hostile = "a\x1b[2J\u009b1m\u202eb\r",
                    shown = "a\\x1b[2J\\xc2\\x9b1m\\xe2\\x80\\xaeb\\x0d";
  Page page;
  page.title = hostile;
  page.facts = {{hostile, hostile}};
  page.notes = {hostile};
  page.kernels = {{hostile, hostile, {{1, 0, hostile, hostile, 1, hostile}}}};
  page.sources[hostile] = {hostile, "int\ti;"};
  ToolSection tool;
  tool.report.tool = hostile;
  tool.report.tables = {{hostile, {hostile}, {hostile}}};
  Finding finding;
  finding.message = finding.kernel = hostile;
  tool.report.findings = {finding};
  page.tools = {tool};
  const std::string html = to_html(page);
  for (const char* part : {"\x1b", "\\u001b", "\u009b", "\u202e", "\r", "\\r"}) CHECK(count(html, part) == 0);
  const nlohmann::json data = data_of(html);
  CHECK(data["facts"][0] == nlohmann::json{shown, shown});
  CHECK(data["kernels"][0]["lines"][0]["source_file"] == shown);
  CHECK(data["sources"][shown] == nlohmann::json{shown, "int\ti;"});
  CHECK(data["tools"][0]["tables"][0]["columns"][0] == shown);
  CHECK(data["tools"][0]["findings"][0]["kernel"] == shown);
}
