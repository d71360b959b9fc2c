// Where the tools of these tests lie.
#pragma once
#include <string>

#include "tests/utilities/kernels.h"
#include "tests/utilities/watched.h"

namespace wedjat::test {

inline std::string tool(const std::string& name, const std::string& options = {}) {
  return std::string(WEDJAT_TOOLS) + "/" + name + ".so" + (options.empty() ? "" : "," + options);
}

}  // namespace wedjat::test
