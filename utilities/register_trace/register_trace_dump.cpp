// wedjat-register-trace FILE: one line a step.
#include "format.hpp"
#include "utilities/trace_file/print_main.hpp"

namespace {

void print(const register_trace::Row& row, std::uint32_t mask, const std::vector<unsigned char>& values) {
  std::printf(" %s", row.operand.c_str());
  if (row.element != 0) std::printf("[%u]", row.element);
  if (row.is_predicate()) {
    std::uint32_t predicate;
    std::memcpy(&predicate, values.data(), sizeof predicate);
    std::printf("=%08x", predicate);
    return;
  }
  for (std::uint32_t m = mask; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    std::printf(" %u:", lane);
    for (std::size_t b = row.bytes(); b-- > 0;) std::printf("%02x", values[row.bytes() * lane + b]);
  }
}

void print_trace(const char* file) {
  register_trace::Reader in(file);
  for (register_trace::Step step; in.next(step);) {
    const register_trace::Site& site = in.site(step);
    std::printf("%llu %s cta %llu warp %u ptx:%u '%s'", static_cast<unsigned long long>(in.launch_index()),
                in.running().name.c_str(), static_cast<unsigned long long>(step.cta), step.warp,
                site.ptx_line, site.text.c_str());
    for (std::size_t r = 0; r < site.rows.size(); ++r) print(site.rows[r], step.mask, step.values[r]);
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return trace_file::print_main(argc, argv, "wedjat-register-trace",
                                "Prints what the tool register_trace wrote: one line a step.", print_trace);
}
