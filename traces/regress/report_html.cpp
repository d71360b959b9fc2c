#include <fmt/format.h>

#include "traces/order/summary.h"
#include "traces/regress/markup.h"
#include "traces/regress/report.h"

namespace wedjat::traces {
namespace {

constexpr std::string_view head = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>wedjat regress</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #ddd}
th{border-bottom:2px solid #888}th:first-child,td:first-child,td.why{text-align:left}
.exact{color:#176f2c}.expected{color:#8a6100}.differs,.failed{color:#b3261e;font-weight:600}td.why{color:#555}
</style>
<h1>wedjat regress</h1>
)";

std::string_view style(Verdict verdict) {
  return verdict == Verdict::as_expected ? "expected" : verdict_name(verdict);
}

std::string row(const Outcome& outcome, const RegressOptions& options) {
  const ReplayReport& report = outcome.report;
  const double seconds = report.kernel_seconds();
  const auto instructions = static_cast<double>(report.thread_instructions());
  std::string text = fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{:.3f}<td>{:.2f}<td>{}",
                                 escaped(outcome.recording.full_name()), outcome.kernels(),
                                 report.launched.size(), report.thread_instructions(), outcome.seconds,
                                 seconds > 0 ? instructions / seconds * 1e-9 : 0.0, report.differing_bytes());
  if (options.without_contraction) text += fmt::format("<td>{}", outcome.differing_without_contraction);
  text += fmt::format("<td>{}<td class=\"{}\">{}", outcome.largest_ulps, style(outcome.verdict),
                      verdict_name(outcome.verdict));
  std::string why = explanation(outcome);
  for (const std::string& note : outcome.notes) why += (why.empty() ? "" : " ") + note + ".";
  for (const Allowed& allowed : outcome.allowed)
    why += fmt::format(" Allowed: seq {} bytes {}-{}: {}.", allowed.sequence, allowed.first, allowed.last,
                       allowed.reason);
  for (const std::string& line : summaries(outcome.open)) why += " Open: " + line + ".";
  return text + fmt::format("<td class=\"why\">{}\n", escaped(why));
}

}  // namespace

std::string html_report(std::span<const Outcome> outcomes, const RegressOptions& options) {
  std::size_t good = 0;
  std::string rows;
  for (const Outcome& outcome : outcomes) {
    good += outcome.good();
    rows += row(outcome, options);
  }
  std::string text(head);
  text += fmt::format("<p>{} of {} programs are as the hardware computed them, or as expected.\n", good,
                      outcomes.size());
  text +=
      "<table><tr><th>program<th>kernels<th>launches<th>thread instructions<th>seconds<th>G/s<th>differing "
      "bytes";
  if (options.without_contraction) text += "<th>without contraction";
  return text + "<th>ulps<th>verdict<th>\n" + rows + "</table>\n</html>\n";
}

}  // namespace wedjat::traces
