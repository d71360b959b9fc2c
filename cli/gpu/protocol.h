// What the command and its runner say to each other, through a socket. C and C++.
#pragma once
#include <stdint.h>

/// Of the command. Behind it: the kernel's name and the PTX text or machine code, without zeros at their
/// ends, and of each argument how long it is, whether it is a buffer (a pointer to it is given), and its
/// contents.
struct WedjatGpuJob {
  uint32_t level;  ///< of the driver's compiler, 0 to 4
  uint32_t grid[3], block[3], shared;
  uint32_t name_bytes, text_bytes, arguments;  ///< without text: the module of the job before
};
struct WedjatGpuArgument {
  uint64_t bytes;
  uint64_t is_buffer;
};

/// Of the runner, which begins with a byte of 1 when it has a context. Behind it: the driver's words, then
/// what each buffer holds, one behind the other.
struct WedjatGpuAnswer {
  int32_t error;        ///< CUresult
  uint32_t last;        ///< the runner ends: its context may be broken
  uint64_t text_bytes;  ///< without a zero at its end
  uint64_t bytes;       ///< of all buffers; 0 after an error
};
