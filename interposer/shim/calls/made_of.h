// Machine code that a compiler within the application made, and what it made it of: the library of
// `record --keep-ptx` tells the recorder, which tells the driver behind it if that one wants to know.
#pragma once

#include <cstddef>

struct wedjat_part {
  const void* data;  // PTX text, machine code, a fatbin
  std::size_t size;
  const char* origin;  // what gave it
};

// `most_registers`: of a thread, where the compiler was told a limit; 0: it was not.
// Weak: that library may be loaded where there is no recorder.
extern "C" __attribute__((weak)) void wedjat_made_of(const void* code, std::size_t size,
                                                     const wedjat_part* parts, std::size_t count,
                                                     int most_registers);
