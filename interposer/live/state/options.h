// What `wedjat live` tells the driver in the program's environment.
#pragma once

#include <string>

namespace wedjat::live {

struct Options {
  bool strict = false;   // a call that is not carried out ends the program
  unsigned threads = 0;  // 0: all cores
};

inline constexpr const char* strict_variable = "WEDJAT_LIVE_STRICT";
inline constexpr const char* threads_variable = "WEDJAT_LIVE_THREADS";

Options options_of_environment();

}  // namespace wedjat::live
