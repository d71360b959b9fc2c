// How a live run ended: the program's own code, and what the driver's reports say.
#pragma once

#include <string>

namespace wedjat::live {

struct Outcome {
  int code = 0;
  std::string json;  // the summary
};

// Of the reports in `folder`, a file a process. `code`: the program's, which stays unless it is 0; then 7 if
// a tool died or the end was not seen, 6 if a tool found errors, 2 if one was to watch what there was not.
Outcome outcome_of(const std::string& folder, int code, bool any_tool);

}  // namespace wedjat::live
