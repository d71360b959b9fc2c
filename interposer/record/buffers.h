// How large the trace buffers may be on this machine.
#pragma once

#include <cstdint>
#include <string>

namespace wedjat::interposer {

struct Buffers {
  std::uint64_t size;  // of a sub-buffer, a power of two
  unsigned count;      // sub-buffers a CPU
};

// LTTng takes (count + 1) x size x CPUs of /dev/shm; a full buffer costs the program 100 ms, so large is
// fast. Throws std::runtime_error if not even the smallest usable ones fit.
Buffers choose_buffers(std::uint64_t shared_memory_free, unsigned cpus);

std::uint64_t free_shared_memory();
unsigned possible_cpus();

}  // namespace wedjat::interposer
