// One launch of a kernel with all that it needs, and what came out of it. FORMAT.md has the folder.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/memory/textures.h"
#include "traces/bundle/runs.h"

namespace wedjat::traces {

// Limits of a context that kernels depend on (cuCtxSetLimit), by CUlimit.
inline constexpr std::array<std::string_view, 3> limit_names = {
    "CU_LIMIT_STACK_SIZE", "CU_LIMIT_PRINTF_FIFO_SIZE", "CU_LIMIT_MALLOC_HEAP_SIZE"};

struct Bundle {
  struct Region {  // an allocation
    std::uint64_t address = 0, bytes = 0;
    std::string label;
    bool chosen = false;  // the emulated device chose the address: no recording tells it
  };
  struct Array {  // of texels, row by row
    memory::ArrayShape shape;
    std::vector<std::byte> input, expected;  // expected: empty if the kernel stores nothing there
  };
  struct Texture {
    std::uint64_t handle = 0;
    std::vector<std::size_t> levels;  // of `arrays`; none: of memory, as `object` says
    memory::Texture object;           // without the arrays
  };
  struct Surface {
    std::uint64_t handle = 0;
    std::size_t array = 0;
  };
  // Where the parameters hold the handle of a texture or surface: other drivers give out others.
  struct Handle {
    std::uint64_t offset = 0, handle = 0;
  };
  // Words of 8 bytes that hold addresses of its own memory: what makes it run elsewhere (relocation.h).
  struct Pointers {
    std::vector<std::uint64_t> parameters;       // offsets
    std::vector<std::uint64_t> input, expected;  // where they lie, ascending
  };
  struct Origin {  // the recording; empty if it is none
    std::string trace, device;
    std::uint64_t launch = 0, sequence = 0;
  };

  std::string kernel;
  std::vector<device::PtxSource> sources;
  device::LaunchConfig config;
  std::map<std::string, std::uint64_t> limits;  // by limit_names: those that the program had set
  bool surroundings = false;  // memory beside allocations is mapped: device::DeviceOptions::surroundings
  std::vector<std::byte> parameters;  // packed
  std::vector<Region> memory;
  std::vector<Region> variables;  // of the module; label: the name
  std::vector<Array> arrays;
  std::vector<Texture> textures;
  std::vector<Surface> surfaces;
  std::vector<Handle> handles;
  std::optional<Pointers> pointers;  // absent: nobody could prove which they are
  Runs input;                        // what the kernel reads, as it was before
  Runs expected;                     // what it writes, as the emulator computed it
  std::optional<Runs> hardware;      // the same bytes, where the recording says what a GPU computed
  Origin origin;
  std::vector<std::string> notes;  // what the program in C cannot do, and what hardware may do otherwise
};

// FormatError: the folder cannot be made, or is not empty.
void write_bundle(const std::filesystem::path& folder, const Bundle& bundle);
// FormatError: a file is missing, broken, or of a newer version; contents lie in no memory of the bundle, or
// are more than `most` bytes.
Bundle read_bundle(const std::filesystem::path& folder, std::uint64_t most);
bool is_bundle(const std::filesystem::path& folder);

// What differs between what a launch left and what was expected.
struct BundleDifference {
  std::string what;  // "expected", "hardware", "array 0"
  std::uint64_t bytes = 0, differing = 0;
  std::uint64_t first = 0;  // the address of the first byte that differs; of arrays: the offset
  std::byte expected{}, got{};
};

struct BundleRun {
  device::LaunchStatistics statistics;
  std::vector<BundleDifference> compared;
  Runs left;  // what the bytes of `expected` hold now

  bool same() const;
};

// Places everything at its address on a device that holds nothing else, launches, compares. Throws what
// Device does.
BundleRun run_bundle(device::Device& device, const Bundle& bundle);
// The same elsewhere: addresses are relocated as bundle.pointers says, and those of the results back.
class Places;
BundleRun run_bundle(device::Device& device, const Bundle& bundle, const Places& places);
// At some other addresses; device::Refused if it is not proved that it can be run there.
BundleRun run_elsewhere(device::Device& device, const Bundle& bundle);

// Of bytes that both hold.
BundleDifference compare_runs(const std::string& what, const Runs& expected, const Runs& got);

}  // namespace wedjat::traces
