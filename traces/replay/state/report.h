// What a replay found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/diff/compare.h"

namespace wedjat::traces {

// One oracle: memory the hardware brought to the host, compared with ours.
struct Checked {
  std::uint64_t sequence = 0;  // of the driver call
  std::string call;            // "cuMemcpyDtoH_v2"; "host memory at cuCtxSynchronize"
  // Where on the device the bytes come from; host memory both sides see: its address, also of a copy to it if
  // something else wrote there since.
  std::uint64_t address = 0;
  std::vector<std::string> kernels;  // launched since the last oracle, each once, in order
  std::uint64_t addresses =
      0;  // words that differ only as addresses of the same thing do, see chosen_addresses.h
  Difference difference;
};

struct Launched {
  std::uint64_t sequence = 0;
  std::string kernel;
  double seconds = 0;
  std::uint64_t thread_instructions = 0, warp_instructions = 0;
  std::uint64_t steps = 0, native_steps = 0;  // of warps; the part that native code ran
};

enum class Agreement : std::uint8_t {
  exact,
  differs,
  only_hardware_failed,
  nothing_compared,
  not_all_compared,  // what was compared is the same
};
std::string_view agreement_name(Agreement agreement);

struct ReplayReport {
  std::vector<Checked> checked;
  std::vector<Launched> launched;
  std::vector<std::string>
      stepped_over;  // kernels without PTX whose recorded effects were applied, one a launch
  std::vector<std::string> not_compared;  // contents that were compared with nothing, and why
  std::uint64_t recorded_bytes = 0;       // of results that the trace holds
  std::uint64_t left_bytes = 0;           // of these: compared with nothing
  std::uint64_t calls = 0;
  std::string
      hardware_failed;  // what said that a kernel failed on the hardware, where none did here; or empty

  void add(ReplayReport&& other);

  std::uint64_t differing_bytes() const;
  std::uint64_t addresses() const;
  std::uint64_t compared_bytes() const;
  double kernel_seconds() const;
  std::uint64_t thread_instructions() const;
  std::uint64_t warp_instructions() const;
  // All bits agree, something was compared, and nothing that should have been compared was not; no
  // kernel failed.
  bool exact() const { return agreement() == Agreement::exact; }
  Agreement agreement() const;
};

}  // namespace wedjat::traces
