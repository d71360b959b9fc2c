// What a roofline plot needs: operations by format, bytes by space, and their ratio.
#include <array>
#include <deque>
#include <map>
#include <vector>
#include <wedjat/tool.hpp>

#include "utilities/memory_lines/memory_lines.hpp"

using namespace wedjat;

struct Roofline : Tool {
  static constexpr std::array<const char*, 7> space_names = {
      "", "generic", "global", "shared", "cluster shared", "local", "const"};
  struct Operations {
    std::uint32_t each;  // of what the counter counts
    std::uint32_t counter;
  };
  struct Kernel {
    const wedjat_kernel* kernel;
    std::map<std::string, std::vector<Operations>> operations;   // by format
    std::map<std::uint8_t, std::array<std::uint32_t, 2>> bytes;  // by space: loaded, stored
    std::uint32_t sectors;
    std::map<std::uint8_t, std::array<std::uint64_t, 2>> piece_bytes;  // of what has no counters
    std::uint64_t piece_sectors = 0;
  };
  const std::uint64_t peak = number("gflops", 0), bandwidth = number("gbytes", 0);
  std::deque<Kernel> kernels;

  void kernel(const wedjat_kernel& k) override {
    Kernel& mine = kernels.emplace_back(Kernel{&k, {}, {}, counters(), {}});
    for (const auto& i : instructions(k)) {
      for (const auto& w : work(i)) {
        const std::uint32_t counter = counters();
        count(i, w.of_warp ? WEDJAT_ISSUED : WEDJAT_EXECUTED, counter);
        mine.operations[w.format].push_back({w.operations, counter});
      }
      if (i.what & WEDJAT_HAS_PIECES) after<&Roofline::on_pieces>(i, WEDJAT_PIECES, &mine);
      for (std::uint32_t a = 0; a < i.access_count; ++a) {
        const wedjat_access& access = i.accesses[a];
        const auto [bytes, added] = mine.bytes.try_emplace(access.space);
        if (added) bytes->second = {counters(), counters()};
        if (access.reads) count(i, WEDJAT_BYTES, bytes->second[0], 0, a);
        if (access.writes) count(i, WEDJAT_BYTES, bytes->second[1], 0, a);
        if (is_global(access.space)) count(i, WEDJAT_SECTORS, mine.sectors, 0, a);
      }
    }
  }
  void on_pieces(const Event& event) {
    Kernel& mine = *static_cast<Kernel*>(event.user);
    for (const auto& piece : pieces(event)) {
      mine.bytes.try_emplace(piece.space, std::array{none, none});
      auto& [loaded, stored] = mine.piece_bytes[piece.space];
      loaded += piece.reads ? piece.bytes : 0;
      stored += piece.writes ? piece.bytes : 0;
    }
    memory_lines::each_line(event, 5, [&](std::uint64_t, memory_lines::How) { ++mine.piece_sectors; });
  }
  static constexpr std::uint32_t none = ~0u;  // a counter that is not there is 0
  static bool is_global(std::uint8_t space) { return space == WEDJAT_GLOBAL || space == WEDJAT_GENERIC; }

  void finish() override {
    Table formats = table("operations by format", "kernel format operations");
    Table spaces = table("bytes by space", "kernel space loaded stored");
    Table roofs = table("roofline", "kernel operations global_bytes sector_bytes intensity sector_intensity");
    for (const Kernel& k : kernels) {
      std::uint64_t operations = 0, global = 0;
      for (const auto& [format, all] : k.operations) {
        std::uint64_t of_format = 0;
        for (const Operations& o : all) of_format += o.each * value(o.counter);
        if (of_format != 0) formats.row(k.kernel->name, format, of_format);
        operations += of_format;
      }
      for (const auto& [space, counter] : k.bytes) {
        const auto piece = k.piece_bytes.find(space);
        const auto [more_loaded, more_stored] =
            piece == k.piece_bytes.end() ? std::array<std::uint64_t, 2>{} : piece->second;
        const std::uint64_t loaded = value(counter[0]) + more_loaded,
                            stored = value(counter[1]) + more_stored;
        const char* name = space < space_names.size() ? space_names[space] : "param";
        if (loaded + stored != 0) spaces.row(k.kernel->name, name, loaded, stored);
        if (is_global(space)) global += loaded + stored;
      }
      const std::uint64_t sectors = 32 * sectors_of(k);
      roofs.row(k.kernel->name, operations, global, sectors, ratio(operations, global),
                ratio(operations, sectors));
    }
    if (peak != 0 && bandwidth != 0) place_under_roof();
  }
  void place_under_roof() {
    const double bend = ratio(peak, bandwidth);
    Table roof = table("under the roof", "kernel sector_intensity bend attainable_gflops bound");
    for (const Kernel& k : kernels) {
      std::uint64_t operations = 0;
      for (const auto& [format, all] : k.operations)
        for (const Operations& o : all) operations += o.each * value(o.counter);
      const double intensity = ratio(operations, 32 * sectors_of(k));
      const bool memory = sectors_of(k) != 0 && intensity < bend;
      roof.row(k.kernel->name, intensity, bend,
               memory ? intensity * static_cast<double>(bandwidth) : static_cast<double>(peak),
               memory ? "memory" : "arithmetic");
    }
  }
  std::uint64_t sectors_of(const Kernel& k) const { return value(k.sectors) + k.piece_sectors; }
  static double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  }
};
WEDJAT_TOOL(Roofline, "roofline", "floating-point operations by format, bytes by space, arithmetic intensity",
            "gflops=peak of the machine; gbytes=its bandwidth in GB/s: with both, what bounds each kernel")
