// What `wedjat live` tells the driver in the program's environment.
#pragma once

#include <string>
#include <vector>

namespace wedjat::live {

struct Options {
  bool strict = false;   // a call that is not carried out ends the program
  unsigned threads = 0;  // 0: all cores
  std::vector<std::string> tools;
  bool check = false, fidelity = false;
  std::string suppressions;
  std::string jit = "auto";  // native code: off, auto, all
  bool lenient = false;      // memory is guarded by the page, as a GPU guards it
  std::string reports;       // folder for a file a process; empty: none is wanted

  bool any_tool() const { return !tools.empty() || check || fidelity; }
};

inline constexpr const char* options_variable = "WEDJAT_LIVE";

std::string as_text(const Options& options);
// Throws std::runtime_error if the variable holds what no `wedjat live` wrote.
Options options_of_environment();

}  // namespace wedjat::live
