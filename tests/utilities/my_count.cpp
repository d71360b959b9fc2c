#include <wedjat/tool.hpp>

struct MyCount : wedjat::Tool {
  std::uint32_t threads = counters();
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : wedjat::instructions(k)) count(i, WEDJAT_THREADS, threads);
  }
  void finish() override { table("instructions", "threads").row(value(threads)); }
};
WEDJAT_TOOL(MyCount, "my_count", "counts thread instructions")
