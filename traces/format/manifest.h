// manifest.json (FORMAT.md has the meaning of each key).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "traces/format/names.h"

namespace wedjat::traces {

struct Device {
  std::string name;
  std::int32_t driver_version = 0;
  std::string compute_capability;  // "9.0"
  std::int32_t count = 0;
  bool emulated = false;  // no hardware: the run was one of `wedjat live`
};

struct Manifest {
  std::uint32_t format = kFormatVersion;
  std::string wedjat;
  std::vector<std::string> argv;
  std::string date;
  std::int32_t cuda_header = 0;
  std::optional<Device> device;
  std::uint64_t processes = 0;
  std::uint64_t events_numbered = 0;
  std::int64_t events_discarded = -1;  // -1: not known
  bool verify = false;                 // holds what each launch changed
  bool clean_end = false;
  std::int32_t exit_code = 0;
  std::int32_t exit_signal = 0;
  std::vector<std::uint64_t> open_calls;  // that had not returned when the program ended
  std::map<std::uint64_t, std::uint64_t>
      untold;  // events that were not written, for the program was killed before: number -> call
  std::vector<std::string> trouble;
  std::map<std::string, std::string>
      event_files;  // path below events/ -> 32 hex digits, XXH3-128 of the file; empty: never closed

  std::string device_text() const;  // what it was recorded on, for people
  bool whole() const { return why_not_whole().empty(); }
  std::vector<std::string> why_not_whole() const;  // one sentence a reason
};

// Hashes of the files below TRACE/events as they lie there. Throws FormatError.
std::map<std::string, std::string> hash_event_files(const std::filesystem::path& trace);

// Both throw FormatError. Writing replaces the file in one step; reading refuses a newer format.
void write_manifest(const std::filesystem::path& trace, const Manifest& manifest);
Manifest read_manifest(const std::filesystem::path& trace);

}  // namespace wedjat::traces
