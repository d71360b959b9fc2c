// What each command of semcc does once its arguments are read. All return the exit status.
#pragma once
#include <string>
#include <vector>

namespace semcc::cli {

namespace exit_status {
inline constexpr int ok = 0;
inline constexpr int diagnostics = 1;  // the semantics files are wrong, or the result is undefined
inline constexpr int usage = 2;        // wrong arguments or instruction, unreadable or unwritable files
}  // namespace exit_status

int check(const std::vector<std::string>& paths);

struct Emit {
  // executors, forms, lanes, limits, manual, registers, smt, tests. Of several each has its folder in
  // `output`.
  std::vector<std::string> kinds;
  std::vector<std::string> paths;
  // Files; may be empty but for the folder `output`. Evidence, times and probes are of the manual; beside
  // these the same of another device.
  std::string output, depfile, evidence, times, times_beside, probes, probes_beside;
};
int emit(const Emit& request);

int eval(const std::string& instruction, const std::string& semantics);

// `summary`: one line for each way a form may be written, instead of the checked forms.
int print(const std::vector<std::string>& paths, bool summary);

}  // namespace semcc::cli
