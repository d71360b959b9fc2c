#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "traces/regress/report.h"

namespace wedjat::traces {
namespace {

const Checked* first_difference(const Outcome& outcome) {
  const auto first =
      std::ranges::find_if(outcome.report.checked, [](const Checked& c) { return !c.difference.same(); });
  return first == outcome.report.checked.end() ? nullptr : &*first;
}

nlohmann::json program(const Outcome& outcome, const RegressOptions& options) {
  const ReplayReport& report = outcome.report;
  const double seconds = report.kernel_seconds();
  const auto instructions = static_cast<double>(report.thread_instructions());
  nlohmann::json row = {{"name", outcome.recording.name},
                        {"suite", outcome.recording.suite},
                        {"trace", outcome.recording.path.string()},
                        {"device", outcome.device},
                        {"verdict", verdict_name(outcome.verdict)},
                        {"kernels", outcome.kernels()},
                        {"launches", report.launched.size()},
                        {"thread_instructions", report.thread_instructions()},
                        {"warp_instructions", report.warp_instructions()},
                        {"seconds", outcome.seconds},
                        {"kernel_seconds", seconds},
                        {"thread_instructions_per_second", seconds > 0 ? instructions / seconds : 0.0},
                        {"compared_bytes", report.compared_bytes()},
                        {"differing_bytes", report.differing_bytes()},
                        {"unexpected_bytes", outcome.unexpected_bytes},
                        {"unexplained_bytes", outcome.unexplained_bytes},
                        {"largest_ulps", outcome.largest_ulps}};
  if (options.without_contraction)
    row["differing_bytes_without_contraction"] = outcome.differing_without_contraction;
  if (!outcome.error.empty()) row["error"] = outcome.error;
  if (const Checked* first = first_difference(outcome))
    row["first_difference"] = {{"seq", first->sequence},
                               {"call", first->call},
                               {"offset", first->difference.element_offset},
                               {"type", element_name(first->difference.element)},
                               {"expected", first->difference.expected},
                               {"got", first->difference.got},
                               {"kernels", first->kernels}};
  if (!outcome.notes.empty()) row["notes"] = outcome.notes;
  for (const Open& open : outcome.open)
    row["open"].push_back({{"seq", open.sequence},
                           {"first", open.first},
                           {"last", open.last},
                           {"address", open.place.address},
                           {"kind", open.kind},
                           {"kernel", open.kernel},
                           {"ptx_line", open.line},
                           {"evidence", open.evidence}});
  for (const Allowed& allowed : outcome.allowed)
    row["allowed"].push_back({{"seq", allowed.sequence},
                              {"first", allowed.first},
                              {"last", allowed.last},
                              {"reason", allowed.reason}});
  return row;
}

}  // namespace

std::string explanation(const Outcome& outcome) {
  if (!outcome.error.empty()) return outcome.error;
  const Checked* first = first_difference(outcome);
  if (first == nullptr) return {};
  return fmt::format("{} (seq {}) byte {}, as {}: expected {}, got {}; kernels before it: {}", first->call,
                     first->sequence, first->difference.element_offset,
                     element_name(first->difference.element), first->difference.expected,
                     first->difference.got, fmt::join(first->kernels, ", "));
}

std::string json_report(std::span<const Outcome> outcomes, const RegressOptions& options) {
  nlohmann::json programs = nlohmann::json::array();
  for (const Outcome& outcome : outcomes) programs.push_back(program(outcome, options));
  return nlohmann::json{{"programs", std::move(programs)},
                        {"good", std::ranges::all_of(outcomes, &Outcome::good)}}
      .dump(2, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace wedjat::traces
