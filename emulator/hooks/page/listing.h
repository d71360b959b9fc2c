// The instructions of a kernel as a page lists them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "utilities/include/wedjat/tool.h"

namespace wedjat::hooks {

struct Listing {
  struct Line {
    std::uint32_t ptx_line = 0, block = 0;
    std::string text;         ///< the instruction as written
    std::string source_file;  ///< empty without .loc
    std::uint32_t source_line = 0;
    std::string place;  ///< as tools name it: "saxpy.cu:12" or "ptx:41"
  };
  std::string kernel, ptx_file;
  std::vector<Line> lines;
};

Listing list(const wedjat_kernel& kernel);

}  // namespace wedjat::hooks
