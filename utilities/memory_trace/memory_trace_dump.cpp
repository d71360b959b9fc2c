// wedjat-memory-trace FILE: one line an access.
#include <exception>

#include "format.hpp"

namespace {

void print(unsigned lane, const memory_trace::Access& a, bool with_bytes) {
  std::printf(" %u:%llx", lane, static_cast<unsigned long long>(a.address[lane]));
  if (with_bytes) std::printf("/%u", a.bytes[lane]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: wedjat-memory-trace FILE\n", stderr), 2;
  try {
    memory_trace::Reader in(argv[1]);
    for (memory_trace::Access a; in.next(a);) {
      const memory_trace::Site& site = in.site(a);
      std::printf("%llu %s cta %llu warp %u ptx:%u '%s' %s%s%s %s bytes:",
                  static_cast<unsigned long long>(in.launch_index()), in.running().name.c_str(),
                  static_cast<unsigned long long>(a.cta), a.warp, site.ptx_line, site.text.c_str(),
                  site.kind & 1 ? "r" : "", site.kind & 2 ? "w" : "", site.kind & 4 ? "a" : "",
                  site.bytes != 0 ? std::to_string(site.bytes).c_str() : "lane:address/");
      for (std::uint32_t m = a.mask; m != 0; m &= m - 1)
        print(static_cast<unsigned>(std::countr_zero(m)), a, site.bytes == 0);
      std::printf("\n");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wedjat-memory-trace: error: %s\n", error.what());
    return 3;
  }
}
