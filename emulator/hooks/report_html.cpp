// A report as a page that needs nothing but a browser.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/hooks/report_charts.h"

namespace wedjat::hooks {
namespace {

std::string shown(const Cell& cell) {
  if (const auto* integer = std::get_if<std::uint64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{:.4f}", *real);
  return escaped(std::get<std::string>(cell));
}

// The column that is drawn as bars: the last one of numbers. npos: none.
std::size_t charted(const Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;)
    if (table.rows() > 1 && number(table.cells[c]) >= 0) return c;
  return std::string::npos;
}

}  // namespace

std::string to_html(const Report& report) {
  std::string out = fmt::format(
      "<!doctype html><meta charset=utf-8><title>{0}</title><style>body{{font:14px sans-serif;margin:2em}}"
      "td,th{{padding:2px "
      "10px;text-align:right}}td.t,th.t{{text-align:left}}tr:nth-child(even){{background:#f3f5f8}}"
      "i{{display:inline-block;height:10px;background:#4878cf}}text{{font-size:10px}}p{{color:#555}}</style>"
      "<h1>{0}</h1>\n",
      escaped(report.tool));
  for (const Table& table : report.tables) {
    out += fmt::format("<h2>{}</h2>{}<table><tr>", escaped(table.title), chart_of(table));
    const std::size_t columns = table.columns.size(), bars = charted(table);
    double most = 0;
    for (std::size_t r = 0; bars != std::string::npos && r < table.rows(); ++r)
      most = std::max(most, number(table.cells[r * columns + bars]));
    for (const std::string& column : table.columns) out += fmt::format("<th>{}", escaped(column));
    for (std::size_t r = 0; r < table.rows(); ++r) {
      out += "<tr>";
      for (std::size_t c = 0; c < columns; ++c) {
        const Cell& cell = table.cells[r * columns + c];
        out +=
            fmt::format("<td{}>{}", std::holds_alternative<std::string>(cell) ? " class=t" : "", shown(cell));
      }
      if (most > 0)
        out += fmt::format("<td class=t><i style='width:{:.0f}px'></i>",
                           300 * number(table.cells[r * columns + bars]) / most);
      out += "\n";
    }
    out += "</table>\n";
  }
  if (!report.findings.empty()) out += "<h2>findings</h2><ul>";
  for (const Finding& finding : report.findings)
    out += fmt::format("<li><b>{} [{}]</b> {} — {} line {}: <code>{}</code>, CTA {} thread {}\n",
                       finding.severity, escaped(finding.kind), escaped(finding.message),
                       escaped(finding.kernel), finding.ptx_line, escaped(finding.instruction), finding.cta,
                       finding.thread);
  return out;
}

}  // namespace wedjat::hooks
