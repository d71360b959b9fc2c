// zstd level 1, only where it pays.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace wedjat::traces {

// The zstd frame of `raw`, or nothing if the first 64 KiB say that less than a tenth would be saved.
std::vector<std::byte> compress_if_worth(std::span<const std::byte> raw);

// Unpacks a frame that must hold exactly raw_size bytes. Returns why it could not, or null.
const char* decompress(std::span<const std::byte> frame, std::span<std::byte> raw);

}  // namespace wedjat::traces
