#include "emulator/hooks/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "emulator/text/numbers.h"

namespace wedjat::hooks {

using text::counted;

namespace {

std::string text_of(const Cell& cell) {
  if (const auto* integer = std::get_if<std::uint64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{:.4g}", *real);
  return printable(std::get<std::string>(cell));
}

std::string place_of(const Finding& finding) {
  std::string text;
  if (!finding.kernel.empty()) text += fmt::format("\n    kernel {}", finding.kernel);
  if (finding.ptx_line != 0) {
    text += fmt::format("\n    at {}:{} '{}'", finding.ptx_file, finding.ptx_line, finding.instruction);
    if (finding.source_line != 0) text += fmt::format(" ({}:{})", finding.source_file, finding.source_line);
    text += fmt::format("\n    CTA {} thread {}", finding.cta, finding.thread);
  }
  return text;
}

void print(std::string& out, const Table& table) {
  const std::size_t columns = table.columns.size();
  std::vector<std::size_t> width(columns);
  for (std::size_t c = 0; c < columns; ++c) width[c] = table.columns[c].size();
  for (std::size_t r = 0; r < table.rows(); ++r)
    for (std::size_t c = 0; c < columns; ++c)
      width[c] = std::max(width[c], text_of(table.cells[r * columns + c]).size());
  out += fmt::format("  {}\n", printable(table.title));
  const auto line = [&](auto cell, auto is_text) {
    std::string text = "   ";
    for (std::size_t c = 0; c < columns; ++c)
      text +=
          is_text(c) ? fmt::format(" {:<{}}", cell(c), width[c]) : fmt::format(" {:>{}}", cell(c), width[c]);
    while (text.ends_with(' ')) text.pop_back();
    out += text + "\n";
  };
  const auto is_text = [&](std::size_t c) {
    return c < table.cells.size() && std::holds_alternative<std::string>(table.cells[c]);
  };
  line([&](std::size_t c) { return printable(table.columns[c]); }, is_text);
  for (std::size_t r = 0; r < table.rows(); ++r)
    line([&](std::size_t c) { return text_of(table.cells[r * columns + c]); }, is_text);
}

// What a checker looked at, and whether that was all right.
std::string looked_at(const Report& report) {
  const bool whole = report.detached.empty() && report.dropped == 0 && report.chose_nothing.empty();
  return fmt::format("{}{} watched, with {} to memory", whole && report.errors == 0 ? "no errors: " : "",
                     counted(report.launches, "launch", "launches"),
                     counted(report.accesses, "access", "accesses"));
}

}  // namespace

std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text;
}

std::vector<std::string> conclusions(const Report& report) {
  std::vector<std::string> lines;
  if (report.checks) lines.push_back(looked_at(report));
  if (report.errors + report.warnings + report.suppressed != 0)
    lines.push_back(fmt::format("{}, {} ({} shown), {} suppressed", counted(report.errors, "error", "errors"),
                                counted(report.warnings, "warning", "warnings"),
                                text::grouped(report.findings.size()), text::grouped(report.suppressed)));
  if (report.dropped != 0)
    lines.push_back(counted(report.dropped, "event was dropped", "events were dropped"));
  if (!report.chose_nothing.empty()) lines.push_back("it watched nothing: " + report.chose_nothing);
  if (!report.detached.empty())
    lines.push_back("detached, what it would have found is unknown: " + report.detached);
  return lines;
}

std::string to_text(const Report& report) {
  std::string out = fmt::format("{}:\n", printable(report.tool));
  for (const Table& table : report.tables) print(out, table);
  for (const Finding& finding : report.findings)
    out += fmt::format("  {} [{}]: {}{}\n", finding.severity, printable(finding.kind),
                       printable(finding.message), place_of(finding));
  for (const std::string& line : conclusions(report)) out += fmt::format("  {}\n", printable(line));
  return out;
}

nlohmann::json to_json(const Report& report) {
  nlohmann::json tables = nlohmann::json::array(), findings = nlohmann::json::array();
  for (const Table& table : report.tables) {
    nlohmann::json rows = nlohmann::json::array();
    for (std::size_t r = 0; r < table.rows(); ++r) {
      nlohmann::json row;
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        std::visit([&](const auto& value) { row[table.columns[c]] = value; },
                   table.cells[r * table.columns.size() + c]);
      rows.push_back(std::move(row));
    }
    tables.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  for (const Finding& f : report.findings)
    findings.push_back({{"severity", f.severity},
                        {"kind", f.kind},
                        {"message", f.message},
                        {"kernel", f.kernel},
                        {"instruction", f.instruction},
                        {"ptx_file", f.ptx_file},
                        {"ptx_line", f.ptx_line},
                        {"source_file", f.source_file},
                        {"source_line", f.source_line},
                        {"cta", f.cta},
                        {"thread", f.thread}});
  return {{"schema", 1},
          {"tool", report.tool},
          {"tables", std::move(tables)},
          {"findings", std::move(findings)},
          {"errors", report.errors},
          {"warnings", report.warnings},
          {"suppressed", report.suppressed},
          {"dropped", report.dropped},
          {"checks", report.checks},
          {"launches", report.launches},
          {"accesses", report.accesses},
          {"chose_nothing", report.chose_nothing},
          {"printed", report.printed},
          {"detached", report.detached}};
}

}  // namespace wedjat::hooks
