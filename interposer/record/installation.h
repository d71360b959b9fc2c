// Where the recorder library and the LTTng tools are: bundled next to this executable, or the system's.
#pragma once

#include <filesystem>
#include <string>

#include "interposer/record/subprocess.h"

namespace wedjat::interposer {

struct Installation {
  std::filesystem::path root;      // holds bin and lib/wedjat
  std::filesystem::path recorder;  // libwedjat_record.so, to be preloaded
  std::string sessiond;            // program names or paths
  std::string lttng;
  std::string consumerd;  // empty: sessiond knows its own
  std::string libraries;  // of the consumer; empty: the system's
  Environment tools;      // what the LTTng programs need in their environment
};

// `root` holds lib/wedjat and, in a bundle, lttng/; empty: the folder above this executable's.
// Throws std::runtime_error naming what is missing and how to get it.
Installation find_installation(std::filesystem::path root);

// What a program is told for --keep-ptx, LD_PRELOAD among it: compilers in it find what leaves PTX as it is,
// and nobody finds what was compiled before. Throws std::runtime_error if `root` lacks something of it.
Environment keeping_ptx(const std::filesystem::path& root);

}  // namespace wedjat::interposer
