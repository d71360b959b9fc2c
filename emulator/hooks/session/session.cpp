#include "emulator/hooks/session/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace wedjat::hooks {

void Session::add(const wedjat_finding& from) {
  constexpr const char* severities[] = {"info", "warning", "error"};
  Finding finding;
  finding.severity = severities[from.severity <= WEDJAT_ERROR ? from.severity : WEDJAT_ERROR];
  finding.kind = from.kind ? from.kind : "";
  finding.message = from.message ? from.message : "";
  finding.cta = from.cta;
  finding.thread = from.thread;
  if (from.launch != nullptr) finding.kernel = from.launch->kernel->name;
  if (from.launch != nullptr && from.instruction != nullptr) {
    finding.ptx_file = from.launch->kernel->ptx_file;
    finding.ptx_line = from.instruction->ptx_line;
    finding.instruction = from.instruction->text;
    finding.source_file = from.instruction->source_file;
    finding.source_line = from.instruction->source_line;
  }
  const std::lock_guard lock(*mutex_);
  if (suppressions != nullptr && suppressions->cover(finding)) {
    ++report.suppressed;
    return;
  }
  if (from.severity >= WEDJAT_ERROR) ++report.errors;
  if (from.severity == WEDJAT_WARNING) ++report.warnings;
  constexpr std::size_t most_unsettled = 64 * most_findings;
  if (report.findings.size() < (parallel ? most_unsettled : most_findings))
    report.findings.push_back(std::move(finding));
  if (parallel && report.findings.size() == most_unsettled) drop_excess();
}

// Those of one CTA come from one thread, in their order.
void Session::drop_excess() {
  std::ranges::stable_sort(report.findings.begin() + static_cast<std::ptrdiff_t>(settled_),
                           report.findings.end(), {}, &Finding::cta);
  if (report.findings.size() > most_findings) report.findings.resize(most_findings);
}

void Session::settle() {
  const std::lock_guard lock(*mutex_);
  if (parallel) drop_excess();
  settled_ = report.findings.size();
}

void Session::check() const {
  if (refused.empty()) return;
  const ToolError error = refusal(report.tool, refused);
  // What it says of the file that it writes begins with its name.
  if (const auto file = options.find("file");
      file != options.end() && refused.starts_with(file->second + " "))
    throw ToolFileError(error.what());
  throw error;
}

Report Session::finished() const {
  check();
  return with_tables();
}

Report Session::with_tables() const {
  Report out = report;
  for (const wedjat_table& table : tables) {
    const std::size_t columns = table.content.columns.size(), cells = table.content.cells.size();
    if (columns != 0 ? cells % columns == 0 : cells == 0)
      out.tables.push_back(table.content);
    else
      out.detached =
          fmt::format("its table '{}' has {} cells for {} columns", table.content.title, cells, columns);
  }
  return out;
}

}  // namespace wedjat::hooks
