// The pages all recorded processes share: the sequence counter and what the manifest needs to know at the
// end. It is a mapped file, so it outlives a killed process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wedjat::traces {

/// The call that a thread is in. One thread writes it, often.
struct alignas(64) OpenCall {
  static constexpr std::uint64_t free = 0, none = ~std::uint64_t{0};
  std::atomic<std::uint64_t> call;  // its number and one more, `none`, or `free`: it is no thread's
};

/// An event whose number was given and that is yet to be written: of contents that other threads take.
struct alignas(64) UntoldEvent {
  static constexpr std::uint64_t free = 0, taken = ~std::uint64_t{0};
  std::atomic<std::uint64_t> sequence;  // its number and one more, `free`, or `taken`: being filled
  std::uint64_t call;                   // what brought the contents
};

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
  OpenCall open_calls[1024];
  UntoldEvent untold[512];
};
static_assert(sizeof(StatePage) == 25 * 4096 && std::atomic<std::uint64_t>::is_always_lock_free);

// Maps TRACE/state shared; `create` makes it first. Throws FormatError. Never unmapped: calls into the driver
// come even after static destructors.
StatePage& map_state(const std::filesystem::path& trace, bool create);

void add_trouble(StatePage& state, const std::string& text);
std::vector<std::string> troubles(const StatePage& state);

/// The calls that no thread has come back from, ascending.
std::vector<std::uint64_t> open_calls(const StatePage& state);
/// The events that were not written: number -> call.
std::map<std::uint64_t, std::uint64_t> untold_events(const StatePage& state);

}  // namespace wedjat::traces
