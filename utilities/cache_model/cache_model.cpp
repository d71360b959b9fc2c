// Hits and misses of a stated two-level cache.
#include <deque>
#include <memory>
#include <vector>
#include <wedjat/tool.hpp>

#include "device_limits.h"
#include "set_associative.hpp"
#include "utilities/memory_lines/memory_lines.hpp"

using namespace wedjat;
using cache_model::SetAssociative;

struct CacheModel : Tool {
  struct Shape {
    std::uint64_t sets = 1, ways = 1;
  };
  struct Site {
    const wedjat_kernel* kernel;
    const wedjat_instruction* at;
    std::uint64_t l1 = 0, l1_hits = 0, l2 = 0, l2_hits = 0;
  };
  const unsigned shift = memory_lines::shift_of(number("line", 128));
  const std::uint64_t sms = number("sms", wedjat::limits::multiprocessors);
  const Shape l1_shape = shape("l1", "128:4");
  SetAssociative l2 = make(shape("l2", "51200:16"));
  std::vector<std::unique_ptr<SetAssociative>> l1;  // by SM
  std::deque<Site> sites;
  std::uint64_t written_back = 0;

  CacheModel() {
    if (shift == 0) refuse("line is a power of two, 2 bytes or more");
    if (sms == 0 || sms > 65536)
      refuse("sms is 1 to 65536");
    else
      l1.resize(sms);
  }
  static SetAssociative make(Shape shape) { return {shape.sets, shape.ways}; }
  Shape shape(const char* key, const char* otherwise) const {
    const std::string text = option(key, otherwise);
    char* end = nullptr;
    const std::uint64_t kib = std::strtoull(text.c_str(), &end, 10);
    const std::uint64_t ways = *end == ':' ? std::strtoull(end + 1, &end, 10) : 0;
    const std::uint64_t line = std::uint64_t{1} << shift;
    constexpr std::uint64_t most = 1 << 21;
    if (*end != 0 || kib == 0 || kib > most || ways == 0 || ways > kib * 1024 ||
        kib * 1024 % (ways * line) != 0) {
      refuse(std::string(key) + " is KIB:WAYS, a whole number of sets: '" + text + "'");
      return {};
    }
    return {kib * 1024 / (ways * line), ways};
  }

  void kernel(const wedjat_kernel& k) override {
    for (const auto& i : instructions(k)) {
      if (memory_lines::has_access(i))
        before<&CacheModel::on_access>(i, WEDJAT_ADDRESSES, &sites.emplace_back(Site{&k, &i}));
      if (memory_lines::has_pieces(i))
        after<&CacheModel::on_access>(i, WEDJAT_PIECES, &sites.emplace_back(Site{&k, &i}));
    }
  }
  bool launch_begin(const wedjat_launch&) override {
    for (auto& cache : l1)
      if (cache != nullptr) cache->clear();
    return true;
  }
  void on_access(const Event& event) {
    auto& site = *static_cast<Site*>(event.user);
    auto& cache = l1[event.cta % sms];
    if (cache == nullptr) cache = std::make_unique<SetAssociative>(make(l1_shape));
    memory_lines::each_line(event, shift, [&](std::uint64_t line, memory_lines::How how) {
      if (how.atomic) {
        cache->drop(line);
      } else {
        const bool hit = cache->access(line, !how.writes, false).hit;
        ++site.l1;
        site.l1_hits += hit;
        if (hit && !how.writes) return;
      }
      const SetAssociative::Result found = l2.access(line, true, how.writes);
      ++site.l2;
      site.l2_hits += found.hit;
      written_back += found.wrote_back;
    });
  }
  void finish() override {
    Table by_site =
        table("by instruction", "kernel place instruction l1_accesses l1_hits l2_accesses l2_hits");
    Site all{nullptr, nullptr};
    for (const Site& s : sites) {
      if (s.l1 + s.l2 != 0)
        by_site.row(s.kernel->name, place(*s.at), s.at->text, s.l1, s.l1_hits, s.l2, s.l2_hits);
      all.l1 += s.l1, all.l1_hits += s.l1_hits, all.l2 += s.l2, all.l2_hits += s.l2_hits;
    }
    Table levels = table("levels", "level accesses hits misses hits_percent");
    levels.row("L1", all.l1, all.l1_hits, all.l1 - all.l1_hits, percent(all.l1_hits, all.l1));
    levels.row("L2", all.l2, all.l2_hits, all.l2 - all.l2_hits, percent(all.l2_hits, all.l2));
    table("memory", "memory_reads memory_writes").row(all.l2 - all.l2_hits, written_back);
  }
  static double percent(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : 100 * static_cast<double>(a) / static_cast<double>(b);
  }
};
WEDJAT_TOOL(
    CacheModel, "cache_model", "hits and misses of a stated two-level cache model",
    "l1=KIB:WAYS of each SM (128:4); l2=KIB:WAYS (51200:16); line=bytes (128); sms=how many (an H100's)")
