// Distinct 128-byte lines and 32-byte sectors a warp access of global memory touches.
#include <array>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "utilities/memory_lines/memory_lines.hpp"

using namespace wedjat;

struct MemoryDivergence : Tool {
  using Counts = std::array<std::uint64_t, 4>;  // requests, lines, sectors, bytes
  struct Pieces {
    std::size_t index;
  };
  PerThread<std::vector<Counts>> counts_of_thread;  // by Pieces::index
  struct Site {
    const wedjat_kernel* kernel;
    const wedjat_instruction* at;
    std::uint32_t first;             // of the counters
    const Pieces* pieces = nullptr;  // of what has no counters
  };
  std::vector<Site> sites;
  std::deque<Pieces> pieces;

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (memory_lines::has_pieces(i)) {
        Pieces& mine = pieces.emplace_back(Pieces{pieces.size()});
        if (after<&MemoryDivergence::on_pieces>(i, WEDJAT_PIECES, &mine)) sites.push_back({&k, &i, 0, &mine});
      }
      for (std::uint32_t a = 0; a < i.access_count; ++a) {
        const auto space = i.accesses[a].space;
        if (space != WEDJAT_GLOBAL && space != WEDJAT_GENERIC) continue;
        const std::uint32_t first = counters(4);
        constexpr wedjat_source sources[] = {WEDJAT_ISSUED, WEDJAT_LINES, WEDJAT_SECTORS, WEDJAT_BYTES};
        bool seen = true;
        for (std::uint32_t s = 0; s < 4; ++s) seen = count(i, sources[s], first + s, 0, a) && seen;
        if (seen) sites.push_back({&k, &i, first});
      }
    }
  }
  bool launch_begin(const wedjat_launch& launch) override {
    counts_of_thread.begin(launch);
    return true;
  }
  void on_pieces(const Event& event) {
    auto& mine = counts_of_thread[event];
    if (mine.size() < pieces.size()) mine.resize(pieces.size());
    Counts& to = mine[static_cast<const Pieces*>(event.user)->index];
    const std::uint64_t before = to[1];
    memory_lines::each_line(event, 7, [&](std::uint64_t, memory_lines::How) { ++to[1]; });
    memory_lines::each_line(event, 5, [&](std::uint64_t, memory_lines::How) { ++to[2]; });
    for (const auto& piece : wedjat::pieces(event))
      if (memory_lines::is_global(event, piece)) to[3] += piece.bytes;
    to[0] += to[1] != before;
  }
  Counts counted(const Site& site) {
    Counts all{};
    if (site.pieces != nullptr) {
      counts_of_thread.each([&](const std::vector<Counts>& part) {
        for (std::size_t i = 0; i < all.size() && site.pieces->index < part.size(); ++i)
          all[i] += part[site.pieces->index][i];
      });
      return all;
    }
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = value(site.first + i);
    return all;
  }
  void finish() override {
    Table all = table("global memory by instruction",
                      "kernel place instruction requests lines sectors lines_per_request sectors_per_request "
                      "efficiency_percent");
    // By kernel, file and line, as numbers: 99 stands before 100.
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::pair<std::string, Counts>> by_line;
    std::uint64_t requests = 0, lines = 0, sectors = 0, bytes = 0;
    for (const Site& s : sites) {
      const auto [r, l, c, b] = counted(s);
      if (r == 0) continue;
      requests += r, lines += l, sectors += c, bytes += b;
      const bool has_source = s.at->source_line != 0;
      auto& [where, line] = by_line[{s.kernel->name, has_source ? s.at->source_file : "",
                                     has_source ? s.at->source_line : s.at->ptx_line}];
      where = place(*s.at);
      line[0] += r, line[1] += l, line[2] += c, line[3] += b;
      all.row(s.kernel->name, place(*s.at), s.at->text, r, l, c, ratio(l, r), ratio(c, r),
              100 * ratio(b, 32 * c));
    }
    Table places = table("global memory by line",
                         "kernel place requests lines sectors lines_per_request sectors_per_request "
                         "efficiency_percent");
    for (const auto& [at, told] : by_line) {
      const auto& [where, n] = told;
      places.row(std::get<0>(at), where, n[0], n[1], n[2], ratio(n[1], n[0]), ratio(n[2], n[0]),
                 100 * ratio(n[3], 32 * n[2]));
    }
    table("global memory", "requests lines sectors lines_per_request sectors_per_request efficiency_percent")
        .row(requests, lines, sectors, ratio(lines, requests), ratio(sectors, requests),
             100 * ratio(bytes, 32 * sectors));
  }
  static double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  }
};
WEDJAT_TOOL(MemoryDivergence, "memory_divergence", "cache lines and sectors per warp access of global memory",
            "", WEDJAT_PARALLEL)
