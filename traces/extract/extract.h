// A launch of a recording as a bundle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "traces/bundle/bundle.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

struct WantedLaunch {
  std::uint64_t number = 0;           // from 0, of all that the replay runs, as tools count them
  std::optional<std::string> kernel;  // instead: the first launch of a kernel (hooks::means_kernel)
};

// Replays as far as need be. What comes out was run once more, on a device that holds nothing else, and did
// the same; then elsewhere (make_movable). Throws std::invalid_argument if there is no such launch,
// device::Refused if a bundle cannot hold it, and what replay() throws.
Bundle extract(const Trace& trace, const ReplayOptions& options, const WantedLaunch& wanted, bool hardware);

// The first launch of each kernel, in the order they come, without the hardware's values and without being
// run again.
void extract_first_launches(const Trace& trace, const ReplayOptions& options,
                            const std::function<void(Bundle&&)>& each);

// Finds the addresses among its words, with runs at other addresses (traces/bundle/relocation.h).
void make_movable(Bundle& bundle, const ReplayOptions& options);

// Runs the bundle on a device of its own and throws device::Refused unless it leaves what is expected.
void prove(const Bundle& bundle, const ReplayOptions& options);

// Leaves out of the PTX what the kernel and the variables it touches do not need
// (emulator/ptx/text/excerpt.h), and sources of which nothing is left. Then the bundle was run once more and
// did the same; otherwise it stays as it is, and why is returned.
std::string trim_ptx(Bundle& bundle, const ReplayOptions& options);

}  // namespace wedjat::traces
