// A trace as one file: a zstd-compressed tar archive of its folder, easy to carry and an order smaller.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "traces/read/temporary.h"

namespace wedjat::traces {

// Whether `file` begins as a zstd frame does. Nothing is taken from a pipe.
bool is_packed_trace(const std::filesystem::path& file);

// Writes the files of the trace in `folder` to `file`, in the order of their names, without dates and owners:
// the same folder gives the same bytes. `file` is there whole or as it was before. Links are refused, what is
// no file of a trace is left out: the result names it. Throws FormatError; std::invalid_argument if `file`
// lies in `folder`.
std::vector<std::string> pack_trace(const std::filesystem::path& folder, const std::filesystem::path& file);

// Most bytes that a packed trace of this size unpacks to, unless the user allows more.
std::uint64_t default_unpack_limit(const std::filesystem::path& file);

// Unpacks the files of a trace in `file` into `folder`, and nothing else that it may hold. Links, devices,
// names that lead out, and more than `limit` bytes are refused. Throws FormatError naming file and cause.
void unpack_trace(const std::filesystem::path& file, const std::filesystem::path& folder,
                  std::uint64_t limit);
void unpack_trace(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace wedjat::traces
