// How many other lines are touched before a line is touched again.
#include <array>
#include <deque>
#include <map>
#include <vector>
#include <wedjat/tool.hpp>

#include "lru_depth.hpp"
#include "utilities/memory_lines/memory_lines.hpp"

using namespace wedjat;
using reuse_distance::LruDepth;

struct ReuseDistance : Tool {
  static constexpr std::size_t buckets = 65;  // 0, then [2^(b-1), 2^b)
  struct Site {
    const wedjat_kernel* kernel;
    const wedjat_instruction* at;
    std::array<std::uint64_t, buckets> by_distance{};
    std::uint64_t cold = 0;
  };
  const std::string scope = option("scope", "launch");
  const unsigned shift = memory_lines::shift_of(number("line", 128));
  std::map<std::uint64_t, LruDepth> sequences;  // by CTA and warp, if they have one each
  std::deque<Site> sites;

  ReuseDistance() {
    if (scope != "warp" && scope != "cta" && scope != "launch" && scope != "program")
      refuse("scope is warp, cta, launch or program");
    if (shift == 0) refuse("line is a power of two, 2 bytes or more");
  }
  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (memory_lines::has_access(i))
        before<&ReuseDistance::on_access>(i, WEDJAT_ADDRESSES, &sites.emplace_back(Site{&k, &i}));
      if (memory_lines::has_pieces(i))
        after<&ReuseDistance::on_access>(i, WEDJAT_PIECES, &sites.emplace_back(Site{&k, &i}));
    }
  }
  void launch_end(const wedjat_launch&) override {
    if (scope != "program") sequences.clear();
  }
  void on_access(const Event& event) {
    auto& site = *static_cast<Site*>(event.user);
    const std::uint64_t key = scope == "warp" ? 64 * event.cta + event.warp : scope == "cta" ? event.cta : 0;
    LruDepth& sequence = sequences[key];
    memory_lines::each_line(event, shift, [&](std::uint64_t line, memory_lines::How) {
      const std::uint64_t distance = sequence.access(line);
      if (distance == LruDepth::cold)
        ++site.cold;
      else
        ++site.by_distance[static_cast<std::size_t>(std::bit_width(distance))];
    });
  }

  void finish() override {
    std::array<std::uint64_t, buckets> all{};
    std::uint64_t accesses = 0, cold = 0;
    for (const Site& site : sites) {
      for (std::size_t b = 0; b < buckets; ++b) all[b] += site.by_distance[b];
      cold += site.cold;
    }
    for (const std::uint64_t n : all) accesses += n;
    accesses += cold;
    Table histogram = table("reuse distance in lines", "from below accesses hits_percent");
    std::uint64_t hits = 0;
    for (std::size_t b = 0; b + 1 < buckets; ++b) {
      hits += all[b];
      if (all[b] != 0)
        histogram.row(b == 0 ? 0 : std::uint64_t{1} << (b - 1), std::uint64_t{1} << b, all[b],
                      percent(hits, accesses));
    }
    table("lines", "accesses cold reused").row(accesses, cold, accesses - cold);
    Table by_site = table("by instruction", "kernel place instruction accesses cold median_below");
    for (const Site& site : sites) {
      std::uint64_t reused = 0, seen = 0;
      for (const std::uint64_t n : site.by_distance) reused += n;
      if (reused + site.cold == 0) continue;
      std::size_t median = 0;
      while (median + 1 < buckets && (seen += site.by_distance[median]) * 2 < reused) ++median;
      by_site.row(site.kernel->name, place(*site.at), site.at->text, reused + site.cold, site.cold,
                  reused == 0 ? 0 : std::uint64_t{1} << median);
    }
  }
  static double percent(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : 100 * static_cast<double>(a) / static_cast<double>(b);
  }
};
WEDJAT_TOOL(ReuseDistance, "reuse_distance", "distinct lines of global memory between two uses of one",
            "scope=warp, cta, launch or program: whose accesses are one sequence (launch); line=bytes (128)")
