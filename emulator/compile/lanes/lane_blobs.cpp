#include "emulator/compile/lanes/lane_blobs.h"

// The assembler takes the files in; their list is made by CMake.
#define BLOB(chapter)                                                                                        \
  asm(".section .rodata\n.balign 16\nwedjat_lanes_" #chapter "_begin:\n.incbin \"" WEDJAT_LANES "/" #chapter \
      ".bc\"\nwedjat_lanes_" #chapter "_end:\n.previous\n");                                                 \
  extern "C" const char wedjat_lanes_##chapter##_begin[], wedjat_lanes_##chapter##_end[];
#include "lane_blobs.list"
#undef BLOB

namespace wedjat::compile {

std::span<const LaneBlob> lane_blobs() {
#define BLOB(chapter) {#chapter, wedjat_lanes_##chapter##_begin, wedjat_lanes_##chapter##_end},
  static constexpr LaneBlob all[] = {
#include "lane_blobs.list"
  };
#undef BLOB
  return all;
}

}  // namespace wedjat::compile
