// The bitcode that this library carries: a file for each chapter of the semantics, as the build made them.
#pragma once
#include <span>

namespace wedjat::compile {

struct LaneBlob {
  const char* chapter;
  const char *begin, *end;
};

std::span<const LaneBlob> lane_blobs();

}  // namespace wedjat::compile
