// When each warp starts and stops: by a stated latency model, by what was measured of an H200
// (utilities/timing), or by the clock the kernel itself read.
#include <map>
#include <memory>
#include <vector>
#include <wedjat/tool.hpp>

#include "chrome_trace.hpp"
#include "device_limits.h"
#include "html_timeline.hpp"
#include "latency_model.hpp"
#include "utilities/timing/watched.hpp"

using namespace wedjat;
using namespace warp_timeline;

struct WarpTimeline : timing::Watched, timing::Watcher {
  struct Warp {
    std::uint64_t start = 0, now = 0, waited = 0, reads = 0;
    std::uint32_t last_line = 0;                      // clock: where it was read last
    std::map<std::uint32_t, std::size_t> generation;  // by barrier: how often it came
  };
  struct Cta {
    std::uint64_t start = 0, stop = 0;
    std::size_t place = 0;
    std::map<std::uint32_t, Warp> warps;
    std::map<std::uint32_t, std::vector<std::uint64_t>> arrived;  // by barrier, generation: the last arrival
  };
  const std::string model = option("model", "latency");
  const bool by_clock = model == "clock", measured = model == "h200";
  const Latencies latency{number("alu", 4),   number("shared", 30),  number("global", 400),
                          number("store", 4), number("atomic", 400), number("barrier", 20)};
  const std::uint64_t sms = number("sms", wedjat::limits::multiprocessors), resident = number("resident", 8),
                      rows = number("rows", 256);
  std::unique_ptr<Places> places;
  std::unique_ptr<Slices> file;
  std::map<std::uint64_t, Cta> ctas;  // of the running launch
  std::uint64_t warps = 0, shown = 0;
  std::uint64_t launched = 0;  // h200: cycles of the launches before
  std::uint64_t sm = 0;        // h200: that the model carries out
  Table all = table("warps by " + model, by_clock ? "launch kernel cta warp start stop cycles reads"
                                                  : "launch kernel cta warp sm start stop busy waiting");

  WarpTimeline() {
    if (model != "latency" && !by_clock && !measured) refuse("model is latency, h200 or clock");
    const bool fits = sms != 0 && sms <= 65536 && resident != 0 && resident <= 64;
    if (!fits) refuse("sms is 1 to 65536, resident 1 to 64");
    places = std::make_unique<Places>(fits ? sms : 1, fits ? resident : 1);
    const std::string name = option("file");
    if (name.empty()) return;
    if (name.ends_with(".html"))
      file = std::make_unique<HtmlTimeline>(name, model);
    else
      file = std::make_unique<ChromeTrace>(name, model);
    if (!file->good()) refuse(name + " cannot be written");
  }

  void kernel(const wedjat_kernel& k) override {
    if (measured)
      Watched::kernel(k);
    else if (by_clock)
      watch_clock(k);
    else
      watch_segments(k);
  }
  static bool reads_clock(const wedjat_instruction& i) {
    for (const auto& o : operands(i)) {
      const std::string_view text = o.text;
      if (o.in && (text == "%clock" || text == "%clock64" || text == "%globaltimer")) return true;
    }
    return false;
  }
  void watch_clock(const wedjat_kernel& k) {
    for (const auto& i : instructions(k))
      if (reads_clock(i) && !after<&WarpTimeline::on_clock>(i, WEDJAT_ROWS))
        refuse(std::string("the value of '") + i.text + "' cannot be seen");
  }
  // Instructions between places where time may stand still cost what they cost together: `user` is their sum.
  void watch_segments(const wedjat_kernel& k) {
    for (const auto& block : blocks(k)) {
      std::uint64_t cost = 0;
      std::uint32_t first = block.first;
      const auto close = [&](std::uint32_t end) {
        if (end != first)
          before<&WarpTimeline::on_segment>(k.instructions[first], WEDJAT_EMPTY,
                                            reinterpret_cast<void*>(cost));
        cost = 0;
      };
      for (std::uint32_t id = block.first; id < block.first + block.count; ++id) {
        const wedjat_instruction& i = k.instructions[id];
        if (i.what & WEDJAT_BARRIER) {
          close(id);
          before<&WarpTimeline::on_arrival>(i, WEDJAT_ROWS);
          after<&WarpTimeline::on_departure>(i, WEDJAT_ROWS);
          first = id + 1;
        } else {
          cost += latency.of(i);
        }
      }
      close(block.first + block.count);
    }
  }

  bool launch_begin(const wedjat_launch& l) override {
    places->all_free_from(places->last());
    return Watched::launch_begin(l);
  }
  Cta& cta_of(const Event& event) {
    const auto [found, is_new] = ctas.try_emplace(event.cta);
    Cta& cta = found->second;
    if (is_new && !by_clock) {
      finish_others(event);
      cta.place = places->enter(event.cta);
      cta.start = cta.stop = places->free_from(cta.place);
    }
    return cta;
  }
  // CTAs run one after the other, but for those of a cluster and of a cooperative launch: what has no warp
  // left in it is over. Those that go on hold their place no longer than they are known to need it.
  void finish_others(const Event& event) {
    for (auto& [index, cta] : ctas)
      if (index != event.cta) places->leave(cta.place, cta.stop);
  }
  Warp& warp_of(Cta& cta, const Event& event) {
    const auto [found, is_new] = cta.warps.try_emplace(event.warp);
    if (is_new) found->second.start = found->second.now = cta.start;
    return found->second;
  }
  static void pass(Cta& cta, Warp& warp, std::uint64_t cycles) {
    warp.now += cycles;
    cta.stop = std::max(cta.stop, warp.now);
  }
  void on_segment(const Event& event) {
    Cta& cta = cta_of(event);
    pass(cta, warp_of(cta, event), reinterpret_cast<std::uintptr_t>(event.user));
  }
  static std::uint32_t barrier_name(const Event& event) {
    for (const wedjat_operand& o : operands(*event.instruction))
      if (o.in && o.value != WEDJAT_PRED && event.rows != nullptr)
        return static_cast<const std::uint32_t*>(event.rows[o.first])[std::countr_zero(event.executed)];
    return 0;
  }
  void on_arrival(const Event& event) {
    Cta& cta = cta_of(event);
    Warp& warp = warp_of(cta, event);
    pass(cta, warp, latency.barrier);
    const std::uint32_t name = barrier_name(event);
    auto& arrived = cta.arrived[name];
    const std::size_t generation = warp.generation[name]++;
    if (generation >= arrived.size()) arrived.resize(generation + 1);
    arrived[generation] = std::max(arrived[generation], warp.now);
  }
  void on_departure(const Event& event) {
    if ((event.instruction->what & WEDJAT_WAITS) == 0) return;
    Cta& cta = cta_of(event);
    Warp& warp = warp_of(cta, event);
    const std::uint32_t name = barrier_name(event);
    const std::size_t generation = warp.generation[name];
    const std::uint64_t left = generation == 0 ? warp.now : cta.arrived[name][generation - 1];
    if (left <= warp.now) return;
    if (file != nullptr)
      file->slice("barrier", places->sm_of(event.cta), event.cta, event.warp, warp.now, left);
    warp.waited += left - warp.now;
    pass(cta, warp, left - warp.now);
  }
  void on_clock(const Event& event) {
    for (const wedjat_operand& o : operands(*event.instruction)) {
      if (!o.out || event.rows == nullptr) continue;
      const int lane = std::countr_zero(event.executed);
      const void* const row = event.rows[o.first];
      const std::uint64_t now = o.bits == 64 ? static_cast<const std::uint64_t*>(row)[lane]
                                             : static_cast<const std::uint32_t*>(row)[lane];
      Warp& warp = cta_of(event).warps[event.warp];
      if (warp.reads++ == 0) warp.start = warp.now = now;
      if (file != nullptr && warp.reads > 1 && now >= warp.now)
        file->slice("ptx:" + std::to_string(warp.last_line) +
                        " to ptx:" + std::to_string(event.instruction->ptx_line),
                    places->sm_of(event.cta), event.cta, event.warp, warp.now, now);
      warp.now = now;
      warp.last_line = event.instruction->ptx_line;
    }
  }

  // The model tells of the warps of an SM in the order in which they end; the cycles of launches follow each
  // other.
  void begins(std::size_t number) override { sm = number; }
  void waited(std::size_t place, std::uint32_t number, timing::Time begin, timing::Time end) override {
    Warp& warp = ctas[timing::cta_of(sm, place)].warps[number];
    warp.waited += (end - begin) / timing::kParts;
    if (file != nullptr)
      file->slice("barrier", sm, timing::cta_of(sm, place), number, launched + begin / timing::kParts,
                  launched + end / timing::kParts);
  }
  void read_clock(std::size_t, std::uint32_t, std::uint32_t, timing::Time) override {}
  void ended(std::size_t place, std::uint32_t number, timing::Time begin, timing::Time end) override {
    Warp& warp = ctas[timing::cta_of(sm, place)].warps[number];
    warp.start = launched + begin / timing::kParts, warp.now = launched + end / timing::kParts;
  }
  void launch_end(const wedjat_launch& l) override {
    const std::uint64_t cycles = measured ? static_cast<std::uint64_t>(predict(l, 1, this).cycles) : 0;
    report_all(l);
    launched += cycles;
  }
  void report_all(const wedjat_launch& l) {
    for (auto& [index, cta] : ctas) {
      if (!by_clock && !measured) places->leave(cta.place, cta.stop);
      for (const auto& [number, warp] : cta.warps) report(l, index, number, warp);
    }
    ctas.clear();
  }
  void report(const wedjat_launch& l, std::uint64_t cta, std::uint32_t number, const Warp& warp) {
    ++warps;
    if (file != nullptr && !by_clock)
      file->slice(l.kernel->name, sm_of(cta), cta, number, warp.start, warp.now);
    if (shown == rows) return;
    ++shown;
    if (by_clock)
      all.row(l.index, l.kernel->name, cta, number, warp.start, warp.now, warp.now - warp.start, warp.reads);
    else
      all.row(l.index, l.kernel->name, cta, number, sm_of(cta), warp.start, warp.now,
              warp.now - warp.start - warp.waited, warp.waited);
  }
  [[nodiscard]] std::uint64_t sm_of(std::uint64_t cta) const {
    return measured ? timing::sm_of(cta) : places->sm_of(cta);
  }
  void finish() override {
    if (file != nullptr && !file->finish()) refuse(option("file") + " could not be written whole");
    if (by_clock)
      table("totals", "warps").row(warps);
    else if (measured)
      table("totals", "warps cycles unmeasured").row(warps, launched, unmeasured());
    else
      table("totals", "warps cycles").row(warps, places->last());
  }
};
WEDJAT_TOOL(WarpTimeline, "warp_timeline", "when each warp starts and stops, by a latency model or %clock",
            "model=latency, h200 or clock (latency); file=trace for Perfetto, or a page if it ends in .html; "
            "rows=of the table (256); sms= "
            "(an H100's); "
            "resident=CTAs of an SM (8); alu= (4); shared= (30); global= (400); store= (4); atomic= (400); "
            "barrier=cycles (20)")
