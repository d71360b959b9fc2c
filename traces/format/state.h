// The page all recorded processes share: the sequence counter and what the manifest needs to know at the end.
// It is a mapped file, so it outlives a killed process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wedjat::traces {

struct StatePage {
  char magic[8];
  std::atomic<std::uint64_t> next_sequence;
  std::atomic<std::uint64_t> processes_started;
  std::atomic<std::uint64_t> processes_ended;
  std::atomic<std::uint64_t> troubles;
  std::atomic<std::uint64_t> driver_version;
  std::atomic<std::uint64_t> compute_capability;  // major << 32 | minor
  std::atomic<std::uint64_t> device_count;
  char device_name[128];
  std::atomic<std::uint64_t> trouble_bytes;  // used in trouble_text
  char unused[56];
  char trouble_text[3840];  // NUL separated
};
static_assert(sizeof(StatePage) == 4096 && std::atomic<std::uint64_t>::is_always_lock_free);

// Maps TRACE/state shared; `create` makes it first. Throws FormatError. Never unmapped: calls into the driver
// come even after static destructors.
StatePage& map_state(const std::filesystem::path& trace, bool create);

void add_trouble(StatePage& state, const std::string& text);
std::vector<std::string> troubles(const StatePage& state);

}  // namespace wedjat::traces
