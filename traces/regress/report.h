// What a regression found, for machines and browsers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "traces/regress/run.h"

namespace wedjat::traces {

// {"programs": [{"name", "suite", "verdict", "differing_bytes", "unexpected_bytes", "largest_ulps",
// "kernels", "launches", "thread_instructions", "seconds", "thread_instructions_per_second", "error",
// "notes", "first_difference", …}], "good": true}
std::string json_report(std::span<const Outcome> outcomes, const RegressOptions& options);
// JUnit XML: a test suite a suite, a test case a program.
std::string junit_report(std::span<const Outcome> outcomes);
// One page that needs nothing else.
std::string html_report(std::span<const Outcome> outcomes, const RegressOptions& options);

// One sentence: why it is not exact, or empty.
std::string explanation(const Outcome& outcome);
// Lines for expectations.txt that allow exactly what is open.
std::vector<std::string> suggested_expectations(const Outcome& outcome);

}  // namespace wedjat::traces
