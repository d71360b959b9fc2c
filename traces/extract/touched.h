// What a launch reads and writes, byte by byte, and which textures and surfaces it uses.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "emulator/hooks/hooks.h"
#include "traces/bundle/byte_set.h"
#include "utilities/include/wedjat/tool.h"

namespace wedjat::traces {

struct Touched {
  ByteSet read, written;  // global memory and texels; read: also after the launch wrote there
  std::set<std::uint64_t>
      texels_of;      // 64-bit inputs of instructions that work on texels: handles are among them
  bool heap = false;  // it reaches blocks of the device heap
};

// A tool. Whoever attaches it says what happens at launches.
struct TouchLog {
  std::function<bool(const wedjat_launch&)> begin;  // false: the launch is not watched
  std::function<void(const wedjat_launch&)> end;
  std::function<void(std::uint64_t address, std::uint64_t bytes)> changed;  // by the host, or it was freed
  Touched touched;                                                          // of the launch at hand
  struct Allocation {
    std::uint64_t bytes;
    std::string label;
  };
  std::map<std::uint64_t, Allocation> allocations;  // live ones, by address

  // Must live as long as `hooks` is used.
  void attach(hooks::Hooks& hooks);
};

}  // namespace wedjat::traces
