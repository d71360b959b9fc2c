// How long each launch would take on an H200, by the model of utilities/timing.
#include <optional>
#include <wedjat/tool.hpp>

#include "utilities/timing/watched.hpp"

using namespace wedjat;

struct LaunchTime : timing::Watched, timing::Watcher {
  const std::size_t most = number("sms", 6);
  const bool shows_clocks = !option("clocks").empty();
  const bool is_warm = !option("warm").empty();
  std::uint64_t launch = 0;
  std::size_t sm = 0;
  Table launches =
      table("predicted time",
            "launch kernel ctas threads registers resident cycles microseconds bound issue_percent");
  std::optional<Table> clocks, measured;

  LaunchTime() {
    if (most == 0) refuse("sms is 1 or more");
    if (shows_clocks) clocks.emplace(table("clocks", "launch cta warp instruction cycle"));
  }
  void begins(std::size_t number) override { sm = number; }
  void ended(std::size_t, std::uint32_t, timing::Time, timing::Time) override {}
  void waited(std::size_t, std::uint32_t, timing::Time, timing::Time) override {}
  void read_clock(std::size_t cta, std::uint32_t warp, std::uint32_t instruction, timing::Time now) override {
    clocks->row(launch, timing::cta_of(sm, cta), warp, instruction, now / timing::kParts);
  }
  void launch_end(const wedjat_launch& l) override {
    launch = l.index;
    const timing::Prediction found = predict(l, most, shows_clocks ? this : nullptr, is_warm);
    const std::uint64_t ctas = std::uint64_t{l.grid[0]} * l.grid[1] * l.grid[2];
    launches.row(l.index, l.kernel->name, ctas, l.block[0] * l.block[1] * l.block[2], found.registers,
                 found.resident, found.cycles, found.microseconds, found.bound, found.issue_percent);
    if (l.recorded_nanoseconds == 0) return;
    if (!measured)
      measured.emplace(table("recorded time", "launch kernel microseconds predicted error_percent"));
    const double recorded = static_cast<double>(l.recorded_nanoseconds) / 1000;
    measured->row(l.index, l.kernel->name, recorded, found.microseconds,
                  100 * (found.microseconds - recorded) / recorded);
  }
  void finish() override { table("forms", "unmeasured").row(unmeasured()); }
};
WEDJAT_TOOL(LaunchTime, "launch_time",
            "cycles and microseconds that each launch would take on an H200, by a model",
            "sms=how many SMs of a launch are carried out, those with most to do (6); clocks=1: when warps "
            "would read their clocks; warm=1: as if every kernel had been launched before")
