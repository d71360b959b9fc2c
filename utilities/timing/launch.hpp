// What a launch takes: CTAs dealt to SMs, each of which runs by itself with its share of what lies behind it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "accesses.hpp"
#include "sm.hpp"
#include "watcher.hpp"

namespace timing {

/// CTAs that fit into an SM together.
inline std::uint32_t resident_ctas(const wedjat_launch& launch, std::uint32_t registers) {
  const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  const std::uint32_t warps = std::max(1u, (threads + 31) / 32);
  const std::uint32_t of_registers = h200::registers / ((registers + 7) / 8 * 8 * 32) / warps;
  const std::uint32_t of_shared = h200::shared_bytes / (launch.shared_bytes + h200::reserved_shared);
  return std::max(1u, std::min({h200::ctas, h200::warps / warps, of_registers, of_shared}));
}

class LaunchModel {
 public:
  LaunchModel(const Program& program, const Recorded& recorded, const wedjat_launch& launch)
      : program_(program), recorded_(recorded) {
    found_.registers = launch.recorded_registers != 0
                           ? launch.recorded_registers
                           : std::clamp(program.live_registers + h200::more_registers, 16u, 255u);
    found_.resident = resident_ctas(launch, found_.registers);
  }

  /// The first instructions are there after `fetch` cycles. A launch takes
  /// no less than the `updates` of one line do; an SM that waits for no result is done when it has sent all.
  Prediction run(std::size_t most, Watcher* watcher, std::uint32_t fetch, const Updates& updates) {
    std::vector<Load> by_sm(h200::sms);
    for (std::size_t c = 0; c < recorded_.ctas().size(); ++c)
      if (recorded_.ctas()[c] != Recorded::kNone) by_sm[c % h200::sms].push_back(recorded_.ctas()[c]);
    const auto active = static_cast<std::uint32_t>(
        std::ranges::count_if(by_sm, [](const Load& load) { return !load.empty(); }));
    if (active == 0) return found_;
    Shares shares = shares_of(active);
    shares.fetch = fetch * Time{kParts};
    SmResult longest;
    const auto carry_out = [&](const Load& load) {
      const SmResult one = Sm(program_, recorded_, shares, found_.resident, watcher).run(load);
      if (one.end > longest.end) longest = one;
    };
    if (watcher != nullptr) {
      for (std::size_t sm = 0; sm < by_sm.size(); ++sm) watcher->begins(sm), carry_out(by_sm[sm]);
    } else {
      for (const Load* load : heaviest(by_sm, most)) carry_out(*load);
    }
    const double whole = static_cast<double>(longest.end) / kParts;
    const double left =
        updates.are_answered || updates.requests == 0
            ? 0
            : static_cast<double>(h200::sent_updates) * active / static_cast<double>(updates.requests);
    found_.cycles = std::max(updates.cycles * std::max(0.0, 1 - left),
                             whole - static_cast<double>(longest.idle) / kParts);
    found_.microseconds = (std::max(updates.cycles, whole) + h200::launch_cycles) / h200::clock_mhz;
    found_.issue_percent = 100 * share(longest.issued / kPartitions, longest);
    found_.bound = updates.cycles > whole ? "atomics of one slice of the L2" : bound_of(longest);
    return found_;
  }

 private:
  using Load = std::vector<std::uint32_t>;  // kinds of the CTAs of an SM

  [[nodiscard]] std::vector<const Load*> heaviest(const std::vector<Load>& by_sm, std::size_t most) const {
    std::map<Load, std::size_t> loads;
    for (const Load& load : by_sm) {
      std::size_t tokens = 0, until = 0;
      for (const std::uint32_t kind : load)
        for (const WarpTokens& warp : recorded_.kind(kind)) {
          tokens += warp.size();
          for (const std::uint32_t one : warp)
            if (token::is_wait(one) && token::is_until(one))
              until = std::max<std::size_t>(until, token::cycles(one));
        }
      tokens += until;
      if (tokens != 0) loads.emplace(load, tokens);
    }
    std::vector<std::pair<std::size_t, const Load*>> order;
    for (const Load& load : by_sm)
      if (const auto found = loads.find(load); found != loads.end()) {
        order.emplace_back(found->second, &load);
        loads.erase(found);
      }
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Load*> chosen;
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) chosen.push_back(order[i].second);
    return chosen;
  }

  // What was measured for all SMs together is shared among those that run; one alone gets no more than its
  // port.
  static Shares shares_of(std::uint32_t active) {
    const auto parts = [&](double bytes, double alone) {
      return static_cast<Time>(Sectors::kSector * kParts / std::min(alone, bytes * h200::sms / active));
    };
    return {parts(h200::l2_bytes, h200::port_bytes), parts(h200::written_bytes, h200::port_written_bytes),
            parts(h200::device_bytes, h200::port_bytes),
            Time{active} * h200::dispatch_hundredths * kParts / 100};
  }

  static double share(Time part, const SmResult& of) {
    return of.end == 0 ? 0 : static_cast<double>(part) / static_cast<double>(of.end);
  }

  // What is full most of the time; if nothing is, what warps waited for longest.
  static std::string bound_of(const SmResult& sm) {
    std::vector<std::pair<double, std::string>> full = {{share(sm.issued / kPartitions, sm), "issue"},
                                                        {share(sm.lsu, sm), "load and store unit"},
                                                        {share(sm.l2, sm), "bandwidth of the L2"},
                                                        {share(sm.device, sm), "bandwidth of device memory"}};
    for (std::size_t p = 0; p < h200::pipes; ++p)
      full.emplace_back(share(sm.busy[p] / kPartitions, sm), std::string("pipeline ") + h200::pipe_names[p]);
    if (const auto most = std::ranges::max_element(full); most->first > kFull) return most->second;
    const Waits& w = sm.waits;
    const std::vector<std::pair<Time, std::string>> waits = {{w.memory, "latency of memory"},
                                                             {w.operands, "latency of instructions"},
                                                             {w.barrier, "barriers"},
                                                             {w.issue, "issue"},
                                                             {w.pipes, "pipelines"}};
    return std::ranges::max_element(waits)->second;
  }
  static constexpr double kFull = 0.6;

  const Program& program_;
  const Recorded& recorded_;
  Prediction found_;
};

}  // namespace timing
