// Divergent branches, SIMT efficiency, and in how many groups the lanes of a warp are split.
#include <array>
#include <vector>
#include <wedjat/tool.hpp>

using namespace wedjat;

struct BranchDivergence : Tool {
  struct Site {
    const wedjat_kernel* kernel;
    const wedjat_instruction* at;
    std::uint32_t first;  // of the counters: branches, divergent, lanes here, lanes that take it
  };
  struct Kernel {
    const wedjat_kernel* kernel;
    std::uint32_t warps;  // and threads, executed
  };
  std::vector<Site> sites;
  std::vector<Kernel> kernels;
  const bool depth = option("depth") == "1";
  using Depths = std::array<std::uint64_t, 33>;
  PerThread<Depths> depths_of_thread;

  void kernel(const wedjat_kernel& k) override {
    const std::uint32_t totals = kernels.emplace_back(Kernel{&k, counters(3)}).warps;
    for (const auto& i : instructions(k)) {
      count(i, WEDJAT_WARPS, totals);
      count(i, WEDJAT_THREADS, totals + 1);
      count(i, WEDJAT_EXECUTED, totals + 2);
      if (!(i.what & WEDJAT_BRANCH)) continue;
      const std::uint32_t first = counters(4);
      count(i, WEDJAT_WARPS, first);
      count(i, WEDJAT_DIVERGED, first + 1);
      count(i, WEDJAT_THREADS, first + 2);
      count(i, WEDJAT_EXECUTED, first + 3);
      sites.push_back({&k, &i, first});
      if (depth) before<&BranchDivergence::on_branch>(i, WEDJAT_EMPTY);
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    depths_of_thread.begin(launch);
    return true;
  }
  void on_branch(const Event& event) { ++depths_of_thread[event][event.paths < 33 ? event.paths : 32]; }

  void finish() override {
    Table efficiency =
        table("SIMT efficiency", "kernel warp thread predicated_on simt_percent predicated_percent");
    for (const Kernel& k : kernels) {
      const std::uint64_t w = value(k.warps), t = value(k.warps + 1), x = value(k.warps + 2);
      efficiency.row(k.kernel->name, w, t, x, percent(t, 32 * w), percent(x, 32 * w));
    }
    Table branches = table("branches", "kernel place instruction executed divergent lanes taken not_taken");
    std::uint64_t all = 0, divergent = 0;
    for (const Site& s : sites) {
      const std::uint64_t n = value(s.first), d = value(s.first + 1), a = value(s.first + 2),
                          t = value(s.first + 3);
      if (n != 0) branches.row(s.kernel->name, place(*s.at), s.at->text, n, d, a, t, a - t);
      all += n, divergent += d;
    }
    table("branch efficiency", "branches divergent efficiency_percent")
        .row(all, divergent, percent(all - divergent, all));
    if (!depth) return;
    Table deep = table("branches by depth of divergence", "groups_of_lanes branches");
    Depths depths{};
    depths_of_thread.each([&](const Depths& part) {
      for (std::size_t d = 0; d < depths.size(); ++d) depths[d] += part[d];
    });
    for (std::size_t d = 0; d < depths.size(); ++d)
      if (depths[d] != 0) deep.row(d, depths[d]);
  }
  static double percent(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 100 : 100 * static_cast<double>(a) / static_cast<double>(b);
  }
};
WEDJAT_TOOL(BranchDivergence, "branch_divergence", "divergent branches and SIMT efficiency",
            "depth=1: also a histogram of how many groups a warp's lanes are in at branches", WEDJAT_PARALLEL)
