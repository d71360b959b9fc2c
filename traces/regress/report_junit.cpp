#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "traces/regress/markup.h"
#include "traces/regress/report.h"

namespace wedjat::traces {

std::string junit_report(std::span<const Outcome> outcomes) {
  std::map<std::string, std::vector<const Outcome*>> suites;
  for (const Outcome& outcome : outcomes) suites[outcome.recording.suite].push_back(&outcome);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [suite, members] : suites) {
    const auto of = [&all = members](Verdict verdict) {
      return std::ranges::count(all, verdict, &Outcome::verdict);
    };
    text +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", escaped(suite),
                    members.size(), of(Verdict::differs), of(Verdict::failed) + of(Verdict::not_compared));
    for (const Outcome* outcome : members) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(suite),
                          escaped(outcome->recording.name), outcome->seconds);
      if (outcome->good()) {
        text += "/>\n";
        continue;
      }
      const bool differs = outcome->verdict == Verdict::differs;
      const std::string message = differs
                                      ? fmt::format("{} bytes differ unexpectedly", outcome->unexpected_bytes)
                                  : outcome->verdict == Verdict::not_compared ? "not all could be compared"
                                                                              : "it could not be replayed";
      text += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n",
                          differs ? "failure" : "error", message, escaped(explanation(*outcome)));
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace wedjat::traces
