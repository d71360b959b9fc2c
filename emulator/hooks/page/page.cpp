#include "emulator/hooks/page/page.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "emulator/text/foreign_text.h"

namespace wedjat::hooks {

extern const char* const page_style;
extern const char* const page_script;

namespace {

using nlohmann::json;

json to_page(const Cell& cell) {
  return std::visit([](const auto& value) { return json(value); }, cell);
}

json to_page(const Table& table) {
  json rows = json::array();
  for (std::size_t r = 0; r < table.rows(); ++r) {
    json row = json::array();
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      row.push_back(to_page(table.cells[r * table.columns.size() + c]));
    rows.push_back(std::move(row));
  }
  return {{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}};
}

json to_page(const std::vector<Table>& tables) {
  json all = json::array();
  for (const Table& table : tables) all.push_back(to_page(table));
  return all;
}

json to_page(const Finding& finding) {
  return {{"severity", finding.severity},
          {"kind", finding.kind},
          {"message", finding.message},
          {"kernel", finding.kernel},
          {"instruction", finding.instruction},
          {"ptx_file", finding.ptx_file},
          {"ptx_line", finding.ptx_line},
          {"source_file", finding.source_file},
          {"source_line", finding.source_line},
          {"cta", finding.cta},
          {"thread", finding.thread}};
}

// With tables. Markup and dangerous links in the Markdown are left out.
std::string rendered(const std::string& markdown) {
  constexpr int options = CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8;
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, decltype(&cmark_parser_free)> parser(cmark_parser_new(options),
                                                                           &cmark_parser_free);
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  const std::unique_ptr<cmark_node, decltype(&cmark_node_free)> document(cmark_parser_finish(parser.get()),
                                                                         &cmark_node_free);
  const std::unique_ptr<char, decltype(&std::free)> html(
      cmark_render_html(document.get(), options, cmark_parser_get_syntax_extensions(parser.get())),
      &std::free);
  return html.get();
}

json to_page(const ToolSection& tool) {
  const Report& report = tool.report;
  json findings = json::array();
  for (const Finding& finding : report.findings) findings.push_back(to_page(finding));
  return {{"name", report.tool},
          {"definitions", tool.definitions.empty() ? "" : rendered(tool.definitions)},
          {"notes", conclusions(report)},
          {"findings", std::move(findings)},
          {"tables", to_page(report.tables)}};
}

json to_page(const Listing& kernel) {
  json lines = json::array();
  for (const Listing::Line& line : kernel.lines)
    lines.push_back({{"ptx_line", line.ptx_line},
                     {"block", line.block},
                     {"text", line.text},
                     {"source_file", line.source_file},
                     {"source_line", line.source_line},
                     {"place", line.place}});
  return {{"name", kernel.kernel}, {"file", kernel.ptx_file}, {"lines", std::move(lines)}};
}

// Names and texts that others chose, as a terminal shows them.
json neutral(const json& data) {
  if (data.is_string()) return text::neutral(data.get_ref<const std::string&>());
  if (!data.is_structured()) return data;
  json all = data.is_array() ? json::array() : json::object();
  for (const auto& [key, value] : data.items()) {
    if (data.is_array())
      all.push_back(neutral(value));
    else
      all[text::neutral(key)] = neutral(value);
  }
  return all;
}

// Inside <script>, only `<` can end the data.
std::string embedded(const json& data) {
  std::string text = neutral(data).dump(), out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) { return text::html(text); }

std::string to_html(const Page& page) {
  json tools = json::array(), kernels = json::array(), facts = json::array();
  for (const auto& [name, value] : page.facts) facts.push_back({name, value});
  for (const ToolSection& tool : page.tools) tools.push_back(to_page(tool));
  for (const Listing& kernel : page.kernels) kernels.push_back(to_page(kernel));
  const json data = {{"facts", std::move(facts)},      {"notes", page.notes},
                     {"tables", to_page(page.tables)}, {"tools", std::move(tools)},
                     {"kernels", std::move(kernels)},  {"sources", page.sources}};
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>\n{1}</style>\n<nav></nav>\n"
      "<main><h1>{0}</h1><noscript>This page shows its data with JavaScript.</noscript></main>\n"
      "<script type=\"application/json\" id=\"data\">{2}</script>\n<script>\n{3}</script>\n</html>\n",
      escaped(page.title), page_style, embedded(data), page_script);
}

}  // namespace wedjat::hooks
