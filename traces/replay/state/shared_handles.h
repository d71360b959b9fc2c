// Memory that processes share (cuIpcGetMemHandle, cuIpcOpenMemHandle). Every process has a device of its own
// here, and so a copy of such memory, which is brought up to date when its turn comes after another's.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "traces/read/event.h"

namespace wedjat::traces {

class Replayer;

class SharedHandles {
 public:
  // `handle` names the allocation of `size` bytes at `address` of `owner`.
  void give(const Bytes& handle, Replayer& owner, std::uint64_t address, std::uint64_t size);

  // The size of what the handle names; 0 if nobody gave it out.
  std::uint64_t size_of(const Bytes& handle) const;
  // `guest` has memory for it at `address`, and may open it several times.
  void open(const Bytes& handle, Replayer& guest, std::uint64_t address);
  // True once it is closed as often as it was opened.
  bool close(Replayer& guest, std::uint64_t address);

  // `next` works from here on.
  void turn(Replayer& next);

 private:
  struct View {
    Replayer* process;
    std::uint64_t address;
    std::uint64_t opened = 1;
  };
  struct Memory {
    std::uint64_t size;
    std::vector<View> views;
    View latest;  // of the process that worked last among them
  };
  void bring(Memory& memory, const View& to);

  std::list<Memory> memories_;
  std::map<Bytes, Memory*> by_handle_;
};

}  // namespace wedjat::traces
