// wedjat-memory-trace FILE: one line an access.
#include <cstdio>
#include <exception>

#include "format.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: wedjat-memory-trace FILE\n", stderr), 2;
  try {
    memory_trace::Reader in(argv[1]);
    for (memory_trace::Access a; in.next(a);) {
      std::printf("%llu %s cta %llu warp %u instruction %u %s%s%s %u bytes:",
                  static_cast<unsigned long long>(in.launch()), in.kernel().c_str(),
                  static_cast<unsigned long long>(a.cta), a.warp, a.instruction, a.kind & 1 ? "r" : "",
                  a.kind & 2 ? "w" : "", a.kind & 4 ? "a" : "", a.bytes);
      for (std::uint32_t m = a.mask; m != 0; m &= m - 1)
        std::printf(" %d:%llx", __builtin_ctz(m),
                    static_cast<unsigned long long>(a.address[__builtin_ctz(m)]));
      std::printf("\n");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat-memory-trace: error: %s\n", error.what());
    return 3;
  }
}
