// Counts cache lines of global accesses of 4 bytes, and adds up what integer additions of 32 bits read, in
// native code: my_lines_functions.c has the functions.
#include "my_lines.h"

#include <string_view>
#include <wedjat/tool.hpp>

struct MyLines : wedjat::Tool {
  std::uint32_t lines = counters(2), sum = counters();
  const bool values = option("values") == "1";
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : wedjat::instructions(k)) {
      if (values && i.operation == WEDJAT_SUM && i.operands[1].bits == 32)
        inlined(i, sum_values, "sum_values", sum, {i.operands[1].first});
      for (const auto& access : wedjat::accesses(i))
        if (access.space == WEDJAT_GLOBAL && access.bytes == my_lines_bytes)
          inlined(i, count_lines, "count_lines", lines, {i.operands[access.operand].first});
    }
  }
  void finish() override {
    table("lines", "lines threads").row(value(lines), value(lines + 1));
    if (values) table("values", "sum").row(value(sum));
  }
};
WEDJAT_TOOL(MyLines, "my_lines", "cache lines of accesses of 4 bytes", "values=1: also a sum of values")
