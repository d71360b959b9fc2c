// The environment in which a program finds our driver.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "interposer/live/state/options.h"

namespace wedjat::live {

struct Installation {
  std::filesystem::path root, driver;  // the driver: libcuda.so.1
};

// Throws std::runtime_error if the driver lies not beside the command.
Installation find_installation();

// What is set for the program; what was in LD_LIBRARY_PATH follows our folder, what was in LD_PRELOAD our
// runtime, which counts as loaded then: libraries that bring one of their own beside them (an rpath) get
// ours.
// With `keeps_ptx`, compilers in the program leave their PTX (interposer/keep_ptx); throws std::runtime_error
// if what that takes is missing.
std::map<std::string, std::string> environment_of(const Installation& installation, const Options& options,
                                                  bool keeps_ptx);

}  // namespace wedjat::live
