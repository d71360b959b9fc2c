// What a replay does, in order: calls, launches, copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/hooks/hooks.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

struct KernelActivity {
  std::uint64_t index = 0, sequence = 0, start = 0, end = 0;  // nanoseconds of the replay
  std::string name;
  std::uint32_t grid[3], block[3], cluster[3];
  std::uint32_t static_shared = 0, dynamic_shared = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
};

struct CopyActivity {
  std::uint64_t sequence = 0, start = 0, end = 0, bytes = 0;
  std::string call;
  unsigned kind = 0;  // CUpti_ActivityMemcpyKind: 1 HtoD, 2 DtoH, 8 DtoD ...; memsets: 0
  bool is_memset = false;
};

struct CallActivity {
  std::uint64_t sequence = 0, start = 0, end = 0;
  std::string name;
  std::int32_t status = 0;
};

struct Activity {
  std::vector<KernelActivity> kernels;
  std::vector<CopyActivity> copies;
  std::vector<CallActivity> calls;

  // Watches a replay. Must live as long as it lasts.
  void watch(ReplayOptions& options, hooks::Hooks& hooks);
  std::uint64_t launching = 0;  // the sequence number of the launch at hand
};

// "HtoD" …; nullptr: no such kind.
const char* copy_kind_name(unsigned kind);

}  // namespace wedjat::traces
