// wedjat-memory-trace FILE: one line an access.
#include <exception>

#include "format.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: wedjat-memory-trace FILE\n", stderr), 2;
  try {
    memory_trace::Reader in(argv[1]);
    for (memory_trace::Access a; in.next(a);) {
      const memory_trace::Site& site = in.site(a);
      std::printf("%llu %s cta %llu warp %u ptx:%u '%s' %s%s%s %u bytes:",
                  static_cast<unsigned long long>(in.launch_index()), in.running().name.c_str(),
                  static_cast<unsigned long long>(a.cta), a.warp, site.ptx_line, site.text.c_str(),
                  site.kind & 1 ? "r" : "", site.kind & 2 ? "w" : "", site.kind & 4 ? "a" : "", site.bytes);
      for (std::uint32_t m = a.mask; m != 0; m &= m - 1)
        std::printf(" %d:%llx", std::countr_zero(m),
                    static_cast<unsigned long long>(a.address[static_cast<unsigned>(std::countr_zero(m))]));
      std::printf("\n");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat-memory-trace: error: %s\n", error.what());
    return 3;
  }
}
