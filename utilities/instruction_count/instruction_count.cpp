// How many instructions ran: by kernel, basic block and source line.
#include <map>
#include <vector>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct InstructionCount : Tool {
  struct Kernel {
    const wedjat_kernel* kernel;
    std::uint32_t total;  // the first of three counters: warp, thread, predicated on
    std::vector<std::uint32_t> blocks;
    std::map<std::string, std::uint32_t> lines;
  };
  const std::string by = option("by");
  std::vector<Kernel> kernels;

  void kernel(const wedjat_kernel& k) override {
    if (!by.empty() && by != "block" && by != "line") return refuse("by is block or line");
    Kernel& mine = kernels.emplace_back(Kernel{&k, counters(3), {}, {}});
    for (std::size_t b = 0; by == "block" && b < k.block_count; ++b) mine.blocks.push_back(counters(3));
    for (const auto& i : instructions(k)) {
      count_all(i, mine.total);
      if (by == "block") count_all(i, mine.blocks[i.block]);
      if (by != "line") continue;
      const auto [line, added] = mine.lines.try_emplace(place(i), 0);
      if (added) line->second = counters(3);
      count_all(i, line->second);
    }
  }
  void count_all(const wedjat_instruction& i, std::uint32_t first) {
    count(i, WEDJAT_WARPS, first);
    count(i, WEDJAT_THREADS, first + 1);
    count(i, WEDJAT_EXECUTED, first + 2);
  }
  void finish() override {
    Table totals = table("instructions by kernel", "kernel warp thread predicated_on");
    for (const Kernel& k : kernels) row(totals, k.kernel->name, k.total);
    for (const Kernel& k : kernels) {
      if (by.empty()) continue;
      Table parts = table(std::string("by ") + by + ": " + k.kernel->name, "place warp thread predicated_on");
      for (std::size_t b = 0; b < k.blocks.size(); ++b)
        if (k.kernel->blocks[b].count != 0)
          row(parts,
              "block " + std::to_string(b) + " (" + place(k.kernel->instructions[k.kernel->blocks[b].first]) +
                  ")",
              k.blocks[b]);
      for (const auto& [line, first] : k.lines) row(parts, line, first);
    }
  }
  void row(Table& to, const std::string& name, std::uint32_t first) {
    to.row(name, value(first), value(first + 1), value(first + 2));
  }
};
WEDJAT_TOOL(InstructionCount, "instruction_count", "warp, thread and predicated-on instructions",
            "by=block or line: a table of each kernel's blocks or lines")
