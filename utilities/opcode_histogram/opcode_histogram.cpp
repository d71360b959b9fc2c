// How often each opcode ran; sampled by grid dimension as NVBit does, or in full.
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct OpcodeHistogram : Tool {
  using Shape = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // kernel, grid
  struct Kernel {
    std::map<std::string, std::uint32_t> opcodes;  // the first of two counters: warp, thread
    std::map<Shape, std::vector<std::uint64_t>> sample;
    std::vector<std::uint64_t> before;
  };
  const bool sampled = option("estimate") == "grid", checks = option("check") == "1";
  const bool full_names = option("names") == "full";
  std::map<std::uint32_t, Kernel> kernels;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> total;
  std::map<std::string, std::uint64_t> exact;  // check: thread instructions that were not estimated
  std::uint64_t watched = 0, estimated = 0, exact_instructions = 0, counted_instructions = 0;

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      const auto [opcode, added] = kernels[k.id].opcodes.try_emplace(full_names ? i.form : i.opcode, 0);
      if (added) opcode->second = counters(2);
      count(i, WEDJAT_WARPS, opcode->second);
      count(i, WEDJAT_THREADS, opcode->second + 1);
    }
  }
  static Shape shape(const wedjat_launch& l) { return {l.kernel->id, l.grid[0], l.grid[1], l.grid[2]}; }
  std::vector<std::uint64_t> values(const Kernel& k) const {
    std::vector<std::uint64_t> all;
    for (const auto& [name, first] : k.opcodes) all.insert(all.end(), {value(first), value(first + 1)});
    return all;
  }
  bool launch_begin(const wedjat_launch& launch) override {
    Kernel& k = kernels[launch.kernel->id];
    k.before = values(k);
    return !sampled || checks || !k.sample.contains(shape(launch));
  }
  // What the launch added; of one that was not watched, what its sample added.
  void launch_end(const wedjat_launch& launch) override {
    Kernel& k = kernels[launch.kernel->id];
    auto [sample, fresh] = k.sample.try_emplace(shape(launch));
    std::vector<std::uint64_t> added = values(k);
    for (std::size_t i = 0; i < k.before.size(); ++i) added[i] -= k.before[i];
    if (checks) {
      std::size_t i = 1;
      for (const auto& [name, first] : k.opcodes) exact[name] += added[std::exchange(i, i + 2)];
    }
    if (fresh || !sampled) {
      sample->second = std::move(added);
      ++watched;
    } else {
      ++estimated;
    }
    std::size_t i = 0;
    for (const auto& [name, first] : k.opcodes) {
      total[name].first += sample->second[i++];
      counted_instructions += sample->second[i];
      total[name].second += sample->second[i++];
    }
    exact_instructions += launch.thread_instructions;
  }
  void finish() override {
    Table opcodes = table("instructions by opcode", "opcode warp thread");
    for (const auto& [name, counts] : total) opcodes.row(name, counts.first, counts.second);
    const double error = error_percent(counted_instructions, exact_instructions);
    if (checks) {
      Table checked = table("estimates against full counts", "opcode thread thread_exact error_percent");
      for (const auto& [name, count] : exact)
        checked.row(name, total[name].second, count, error_percent(total[name].second, count));
    }
    table("sampling",
          "launches_counted launches_estimated thread_instructions_counted thread_instructions error_percent")
        .row(watched, estimated, counted_instructions, exact_instructions, error);
  }
  static double error_percent(std::uint64_t counted, std::uint64_t exact) {
    const auto right = static_cast<double>(exact);
    return exact == 0 ? 0 : 100 * (static_cast<double>(counted) - right) / right;
  }
};
WEDJAT_TOOL(OpcodeHistogram, "opcode_histogram", "how often each opcode ran",
            "estimate=grid: count one launch of each kernel and grid, take it for the others; check=1: "
            "count all too, and show the error by opcode; names=full: with modifiers")
