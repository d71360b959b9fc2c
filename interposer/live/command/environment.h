// The environment in which a program finds our driver.
#pragma once

#include <map>
#include <string>

namespace wedjat::live {

struct LiveOptions {
  bool strict = false;
  unsigned threads = 0;  // 0: all cores
};

// What is set for the program; what was in LD_LIBRARY_PATH follows our folder. Throws std::runtime_error if
// the driver lies not beside the command.
std::map<std::string, std::string> environment_of(const LiveOptions& options);

}  // namespace wedjat::live
