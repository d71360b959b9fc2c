#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emulator/hooks/page/page.h"
#include "traces/order/summary.h"
#include "traces/regress/report.h"

namespace wedjat::traces {
namespace {

using hooks::Cell;

// Why it is not exact: everything that is known, in sentences.
std::string why(const Outcome& outcome) {
  std::vector<std::string> sentences;
  if (const std::string text = explanation(outcome); !text.empty()) sentences.push_back(text);
  for (const std::string& note : outcome.notes) sentences.push_back(note + ".");
  for (const Allowed& allowed : outcome.allowed)
    sentences.push_back(fmt::format("Allowed: seq {} bytes {}-{}: {}.", allowed.sequence, allowed.first,
                                    allowed.last, allowed.reason));
  for (const std::string& line : summaries(outcome.open)) sentences.push_back("Open: " + line + ".");
  return fmt::format("{}", fmt::join(sentences, " "));
}

void add_row(hooks::Table& table, const Outcome& outcome, const RegressOptions& options) {
  const ReplayReport& report = outcome.report;
  const double seconds = report.kernel_seconds();
  const auto instructions = static_cast<double>(report.thread_instructions());
  for (const Cell& cell :
       {Cell(outcome.recording.full_name()), Cell(std::string(verdict_name(outcome.verdict))),
        Cell(report.differing_bytes()), Cell(outcome.largest_ulps), Cell(std::uint64_t{outcome.kernels()}),
        Cell(std::uint64_t{report.launched.size()}), Cell(report.thread_instructions()),
        Cell(outcome.seconds), Cell(seconds > 0 ? instructions / seconds * 1e-9 : 0.0), Cell(why(outcome))})
    table.cells.push_back(cell);
  if (options.without_contraction) table.cells.push_back(outcome.differing_without_contraction);
}

}  // namespace

std::string html_report(std::span<const Outcome> outcomes, const RegressOptions& options) {
  hooks::Table table{"programs",
                     {"program", "verdict", "differing_bytes", "ulps", "kernels", "launches",
                      "thread_instructions", "seconds", "G_instructions_per_second", "why"},
                     {}};
  if (options.without_contraction) table.columns.emplace_back("differing_bytes_without_contraction");
  std::size_t good = 0;
  for (const Outcome& outcome : outcomes) {
    good += outcome.good();
    add_row(table, outcome, options);
  }
  hooks::Page page;
  page.title = "wedjat regress";
  page.notes = {fmt::format("{} of {} programs are as the hardware computed them, or as expected.", good,
                            outcomes.size())};
  page.tables = {std::move(table)};
  return hooks::to_html(page);
}

}  // namespace wedjat::traces
