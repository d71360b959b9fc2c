#include "emulator/hooks/session.h"

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
  if (suppressions != nullptr && suppressions->cover(finding)) {
    ++report.suppressed;
    return;
  }
  if (from.severity >= WEDJAT_ERROR) ++report.errors;
  if (from.severity == WEDJAT_WARNING) ++report.warnings;
  if (report.findings.size() < most_findings) report.findings.push_back(std::move(finding));
}

void Session::check() const {
  if (!refused.empty()) throw refusal(report.tool, refused);
}

Report Session::finished() const {
  check();
  Report out = report;
  for (const wedjat_table& table : tables) out.tables.push_back(table.content);
  return out;
}

}  // namespace wedjat::hooks
