// cuStreamWaitValue: what a stream waits for in a word of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wedjat::interposer {

// Whether a word of `bytes` that holds `now` is what CU_STREAM_WAIT_VALUE_* in `flags` waits for.
bool holds(std::uint64_t now, std::uint64_t value, std::size_t bytes, unsigned flags);

}  // namespace wedjat::interposer
