// A tool that learns of each launch what the model needs: blocks and accesses of all warps.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>
#include <wedjat/tool.hpp>

#include "accesses.hpp"
#include "launch.hpp"
#include "others.hpp"
#include "slow_paths.hpp"

namespace timing {

struct Watched : wedjat::Tool {
  void kernel(const wedjat_kernel& k) override {
    programs_.resize(std::max<std::size_t>(programs_.size(), k.id + 1));
    programs_[k.id] = std::make_unique<Program>(k);
    const std::vector<bool> waiting = waiting_loads(k);
    const bool hands_over = std::ranges::find(waiting, true) != waiting.end();
    const bool is_fenced = std::ranges::any_of(wedjat::instructions(k), orders_memory);
    for (const wedjat_block& block : wedjat::blocks(k)) {
      const std::uintptr_t number = number_of(block, k);
      enter<&Watched::on_block>(k, block, reinterpret_cast<void*>(number));
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        const wedjat_instruction& at = k.instructions[i];
        if (const h200::SlowPath* const path = slow_path_of(at.form); path != nullptr && is_plain(at))
          before<&Watched::on_division>(at, WEDJAT_ROWS, const_cast<h200::SlowPath*>(path));
        if (!has_token(at)) continue;
        const std::uintptr_t role = (programs_[k.id]->is_unread[i] ? 0 : kAnswered) |
                                    (hands_over ? kTells : 0) | (waiting[i] ? kWaits : 0) |
                                    (is_fenced ? kFenced : 0);
        void* const answered = reinterpret_cast<void*>(role);
        if (at.what & WEDJAT_HAS_PIECES)
          after<&Watched::on_access>(at, WEDJAT_PIECES | WEDJAT_EMPTY, answered);
        else
          before<&Watched::on_access>(at, WEDJAT_ADDRESSES | WEDJAT_EMPTY, answered);
      }
    }
  }
  bool launch_begin(const wedjat_launch&) override {
    memory_.launch_begins(), hand_overs_.launch_begins(), managed_.launch_begins(), ++launch_;
    return true;
  }
  void cta_end(const wedjat_launch&, std::uint64_t number) override {
    const auto found = running_.find(number);
    if (found == running_.end()) return;
    recorded_.add(number, found->second.done());
    running_.erase(found), cta_ = nullptr;
  }
  void memory(const wedjat_memory& m) override {
    if (m.what == WEDJAT_HOST_WROTE) memory_.host_wrote(m.address, m.bytes);
    if (m.what == WEDJAT_HOST_WROTE || m.what == WEDJAT_HOST_READS) managed_.host_touched(m.address, m.bytes);
  }
  void call(const wedjat_call& c) override {
    if (std::string_view(c.name) != "cuMemAllocManaged") return;
    for (const wedjat_argument& argument : std::span(c.list, c.argument_count)) {
      const std::string_view name = argument.name;
      if (c.is_exit == 0 && name == "bytesize") managed_bytes_ = argument.number;
      if (c.is_exit != 0 && c.status == 0 && name == "dptr_out")
        managed_.allocated(argument.number, managed_bytes_);
    }
  }

 protected:
  /// In launch_end, once. The watcher sees all warps of all SMs; without one the `most` SMs are carried out
  /// that have most to do. `is_warm`: as if the kernel had been launched before.
  Prediction predict(const wedjat_launch& launch, std::size_t most, Watcher* watcher, bool is_warm = false) {
    for (auto& [number, cta] : running_) recorded_.add(number, cta.done());
    running_.clear(), cta_ = nullptr;
    const Program& program = *programs_[launch.kernel->id];
    Prediction found = LaunchModel(program, recorded_, launch)
                           .run(most, watcher, is_warm ? 0 : fetch_of(launch), memory_.updates());
    recorded_.clear();
    return found;
  }
  /// Instructions without a measured time, once for each in the text of the kernels.
  [[nodiscard]] std::uint64_t unmeasured() const {
    std::uint64_t sum = 0;
    for (const auto& program : programs_)
      if (program != nullptr) sum += program->unmeasured;
    return sum;
  }

 private:
  // Cycles until the first instructions are there: those of the first launch of all come from device memory,
  // those of other kernels launched first from the L2.
  std::uint32_t fetch_of(const wedjat_launch& launch) {
    const bool is_first_of_all = seen_.empty(), is_first = seen_.insert(launch.kernel->id).second;
    return is_first_of_all ? h200::device : is_first ? h200::l2 : 0;
  }
  // The lowered kernel may hold copies of a block (of what ptxas unrolls): all of them are the first one.
  static std::uintptr_t number_of(const wedjat_block& block, const wedjat_kernel& k) {
    const auto code = wedjat::blocks(k);
    const auto same = std::ranges::find_if(code, [&](const wedjat_block& other) {
      return other.first == block.first && other.count == block.count;
    });
    return static_cast<std::uintptr_t>(same - code.begin());
  }
  // What a warp waits for besides stands behind the accesses of its block.
  struct Running {
    struct Waits {
      std::uint64_t cycles = 0, until = 0;
    };
    CtaTokens tokens;
    std::vector<Waits> waits;

    void end_block(std::uint32_t warp) {
      const Waits of = std::exchange(waits[warp], {});
      if (of.cycles != 0) tokens[warp].push_back(token::of_delay(of.cycles));
      if (of.until != 0) tokens[warp].push_back(token::until(of.until));
    }
    CtaTokens done() {
      for (std::uint32_t warp = 0; warp < tokens.size(); ++warp) end_block(warp);
      return std::move(tokens);
    }
  };
  Running& running(const wedjat::Event& event) {
    if (cta_ == nullptr || cta_number_ != event.cta) cta_ = &running_[event.cta], cta_number_ = event.cta;
    if (event.warp >= cta_->tokens.size())
      cta_->tokens.resize(event.warp + 1), cta_->waits.resize(event.warp + 1);
    return *cta_;
  }
  void on_block(const wedjat::Event& event) {
    Running& cta = running(event);
    cta.end_block(event.warp);
    cta.tokens[event.warp].push_back(
        token::of_block(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(event.user))));
  }
  void on_access(const wedjat::Event& event) {
    const auto role = reinterpret_cast<std::uintptr_t>(event.user);
    Running& cta = running(event);
    cta.tokens[event.warp].push_back(token::of_access(memory_.of(event, (role & kAnswered) != 0)));
    if ((role & (kTells | kWaits)) == 0 && managed_.is_empty()) return;
    std::uint64_t& until = cta.waits[event.warp].until;
    if (event.addresses == nullptr) return;
    for (const wedjat_access& access : wedjat::accesses(*event.instruction)) {
      if (access.space != WEDJAT_GLOBAL && access.space != WEDJAT_GENERIC) continue;
      const std::uint64_t* const at = event.addresses[&access - event.instruction->accesses];
      wedjat::each_lane(event.executed & access.lanes, [&](unsigned lane) {
        if (!managed_.is_empty()) until = std::max(until, managed_.touched(at[lane], launch_));
        if (role & kWaits)
          until = std::max(until, hand_overs_.read(event.cta, at[lane], (role & kFenced) != 0));
        if ((role & kTells) && access.writes && access.strong) hand_overs_.wrote(event.cta, at[lane]);
      });
    }
  }
  void on_division(const wedjat::Event& event) {
    const auto& path = *static_cast<const h200::SlowPath*>(event.user);
    if (event.executed != 0 && takes_slow_path(event, path))
      running(event).waits[event.warp].cycles += path.cycles;
  }
  static bool orders_memory(const wedjat_instruction& at) {
    return (at.what & WEDJAT_FENCE) != 0 ||
           std::ranges::any_of(wedjat::accesses(at), [](const wedjat_access& access) {
             return access.acquires != 0 || access.releases != 0;
           });
  }
  // Of an access: somebody reads what it gives back; other CTAs may wait for it; it waits for them; they are
  // ordered by fences.
  static constexpr std::uintptr_t kAnswered = 1, kTells = 2, kWaits = 4, kFenced = 8;

  Memory memory_;
  HandOvers hand_overs_;
  Managed managed_;
  std::uint64_t managed_bytes_ = 0;  // of the allocation that is under way
  std::uint64_t launch_ = 0;
  Recorded recorded_;
  std::vector<std::unique_ptr<Program>> programs_;  // by kernel
  std::set<std::uint32_t> seen_;                    // kernels that were launched
  std::map<std::uint64_t, Running> running_;
  Running* cta_ = nullptr;  // of the event before
  std::uint64_t cta_number_ = 0;
};

}  // namespace timing
