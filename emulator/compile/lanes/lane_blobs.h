// The bitcode that this library carries. Defined in a generated file.
#pragma once
#include <span>

namespace wedjat::compile {

struct LaneBlob {
  const char* chapter;
  const char *begin, *end;
};

std::span<const LaneBlob> lane_blobs();

}  // namespace wedjat::compile
