// wedjat-memory-trace FILE: one line an access.
#include "format.hpp"
#include "utilities/trace_file/print_main.hpp"

namespace {

void print(unsigned lane, const memory_trace::Access& a, bool with_bytes) {
  std::printf(" %u:%llx", lane, static_cast<unsigned long long>(a.address[lane]));
  if (with_bytes) std::printf("/%u", a.bytes[lane]);
}

void print_trace(const char* file) {
  memory_trace::Reader in(file);
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
}

}  // namespace

int main(int argc, char** argv) {
  return trace_file::print_main(argc, argv, "wedjat-memory-trace",
                                "Prints what the tool memory_trace wrote: one line an access.", print_trace);
}
