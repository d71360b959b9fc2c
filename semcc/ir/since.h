// Since when something exists.
#pragma once
#include <string>
#include <vector>

namespace semcc::ir {

struct Since {
  int ptx_major = 0, ptx_minor = 0;  // 0.0: always
  std::vector<std::string> targets;  // "sm_20", "sm_90a": any of them; plain sm_N means N or newer
};

}  // namespace semcc::ir
