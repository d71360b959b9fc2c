// Bytes that other threads read while the program goes on. They stay as they are until then: whoever is to
// change them waits.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

#include "traces/format/workers.h"

namespace wedjat::interposer {

// Has `workers` call `read` with the number and the bytes of each piece, in any order, and `end` after the
// last. Neither throws.
using ReadPiece = std::function<void(std::size_t number, std::span<const std::byte> piece)>;
void read_aside(traces::Workers& workers, std::span<const std::byte> bytes, std::size_t piece, ReadPiece read,
                std::function<void()> end);

// Returns when nobody reads these bytes any more: what nobody has begun to read is read here.
void wait_for_readers(std::span<const std::byte> bytes);
// Returns when all is read and ended.
void wait_for_all_readers();
// The same for a signal handler, which takes no lock. False if it takes longer.
bool readers_end_within(std::chrono::milliseconds most);

// Around a fork: the child has none of the threads.
void readers_before_fork();
void readers_after_fork(bool child);

}  // namespace wedjat::interposer
