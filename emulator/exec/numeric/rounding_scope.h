// Directed rounding by the host: while a RoundingScope lives, host arithmetic rounds by its mode.
// The compiler does not know the rounding mode. Executors therefore keep the arithmetic in a function of its
// own that is not inlined and only reads rows and writes rows: the asm below clobbers memory, so no row is
// read before it and none written after its end.
#pragma once
#include "emulator/exec/numeric/types.h"
#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace wedjat::exec::numeric {

enum class HostRounding { nearest, down, up, zero };

class RoundingScope {
 public:
  explicit RoundingScope(HostRounding mode) { set(mode); }
  ~RoundingScope() { set(HostRounding::nearest); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static void set(HostRounding mode) {
#if defined(__x86_64__)
    // MXCSR: all exceptions masked, no flushing; bits 13 and 14 are the rounding control, numbered as the
    // enum.
    const u32 control = 0x1f80u | u32(mode) << 13;
    asm volatile("ldmxcsr %0" : : "m"(control) : "memory");
#else
    constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    std::fesetround(modes[int(mode)]);
    asm volatile("" : : : "memory");
#endif
  }
};

}  // namespace wedjat::exec::numeric
