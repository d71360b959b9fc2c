#include "cli/commands/replay_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/terminal/terminal.h"

namespace wedjat::cli {
namespace {

using hooks::Cell;

void add_row(hooks::Table& table, std::initializer_list<Cell> cells) {
  table.cells.insert(table.cells.end(), cells);
}

}  // namespace

hooks::Page page_of(const traces::Trace& trace) {
  hooks::Page page;
  const std::string program = fmt::format("{}", fmt::join(trace.manifest.argv, " "));
  page.title = "replay of " + (program.empty() ? trace.folder.string() : program);
  page.facts = {{"recording", trace.folder.string()}, {"recorded on", trace.manifest.device_text()}};
  return page;
}

hooks::Page page_of(const traces::Trace& trace, const traces::ReplayReport& report,
                    const std::string& verdict, const PageOptions& options) {
  hooks::Page page = page_of(trace);
  page.facts.insert(page.facts.end(),
                    {{"verdict", verdict},
                     {"bytes compared", grouped(report.compared_bytes())},
                     {"bytes that differ", grouped(report.differing_bytes())},
                     {"driver calls", grouped(report.calls)},
                     {"launches", grouped(report.launched.size())},
                     {"thread instructions", grouped(report.thread_instructions())},
                     {"time in kernels", fmt::format("{:.3f} s", report.kernel_seconds())}});
  if (!report.hardware_failed.empty()) page.notes.push_back(report.hardware_failed);
  for (const std::string& text : report.stepped_over) page.notes.push_back("stepped over: " + text);
  for (const std::string& text : report.not_compared) page.notes.push_back("not compared: " + text);
  hooks::Table copies{"what was compared",
                      {"seq", "call", "bytes", "differing_bytes", "expected", "got", "kernels_before_it"},
                      {}};
  for (const traces::Checked& checked : report.checked) {
    const traces::Difference& difference = checked.difference;
    add_row(copies, {checked.sequence, checked.call, difference.bytes, difference.differing_bytes,
                     difference.same() ? "" : difference.expected, difference.same() ? "" : difference.got,
                     options.names(checked.kernels)});
  }
  hooks::Table launches{
      "launches", {"seq", "kernel", "thread_instructions", "warp_instructions", "seconds"}, {}};
  for (const traces::Launched& launched : report.launched)
    add_row(launches, {launched.sequence, options.name(launched.kernel), launched.thread_instructions,
                       launched.warp_instructions, launched.seconds});
  page.tables = {std::move(copies), std::move(launches)};
  return page;
}

}  // namespace wedjat::cli
