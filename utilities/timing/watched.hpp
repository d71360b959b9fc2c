// A tool that learns of each launch what the model needs: blocks and accesses of all warps.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>
#include <wedjat/tool.hpp>

#include "accesses.hpp"
#include "launch.hpp"

namespace timing {

struct Watched : wedjat::Tool {
  void kernel(const wedjat_kernel& k) override {
    programs_.resize(std::max<std::size_t>(programs_.size(), k.id + 1));
    programs_[k.id] = std::make_unique<Program>(k);
    for (const wedjat_block& block : wedjat::blocks(k)) {
      const std::uintptr_t number = number_of(block, k);
      enter<&Watched::on_block>(k, block, reinterpret_cast<void*>(number));
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
        const wedjat_instruction& at = k.instructions[i];
        if (!has_token(at)) continue;
        void* const answered = programs_[k.id]->is_unread[i] ? nullptr : this;
        if (at.what & WEDJAT_HAS_PIECES)
          after<&Watched::on_access>(at, WEDJAT_PIECES | WEDJAT_EMPTY, answered);
        else
          before<&Watched::on_access>(at, WEDJAT_ADDRESSES | WEDJAT_EMPTY, answered);
      }
    }
  }
  bool launch_begin(const wedjat_launch&) override {
    memory_.launch_begins();
    return true;
  }
  void cta_end(const wedjat_launch&, std::uint64_t number) override {
    const auto found = running_.find(number);
    if (found == running_.end()) return;
    recorded_.add(number, std::move(found->second));
    running_.erase(found), cta_ = nullptr;
  }
  void memory(const wedjat_memory& m) override {
    if (m.what == WEDJAT_HOST_WROTE) memory_.host_wrote(m.address, m.bytes);
  }

 protected:
  /// In launch_end, once. The watcher sees all warps of all SMs; without one the `most` SMs are carried out
  /// that have most to do. `is_warm`: as if the kernel had been launched before.
  Prediction predict(const wedjat_launch& launch, std::size_t most, Watcher* watcher, bool is_warm = false) {
    for (auto& [number, tokens] : running_) recorded_.add(number, std::move(tokens));
    running_.clear(), cta_ = nullptr;
    const Program& program = *programs_[launch.kernel->id];
    const Prediction found = LaunchModel(program, recorded_, launch)
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
  WarpTokens& tokens(const wedjat::Event& event) {
    if (cta_ == nullptr || cta_number_ != event.cta) cta_ = &running_[event.cta], cta_number_ = event.cta;
    if (event.warp >= cta_->size()) cta_->resize(event.warp + 1);
    return (*cta_)[event.warp];
  }
  void on_block(const wedjat::Event& event) {
    tokens(event).push_back(
        token::of_block(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(event.user))));
  }
  void on_access(const wedjat::Event& event) {
    tokens(event).push_back(token::of_access(memory_.of(event, event.user != nullptr)));
  }

  Memory memory_;
  Recorded recorded_;
  std::vector<std::unique_ptr<Program>> programs_;  // by kernel
  std::set<std::uint32_t> seen_;                    // kernels that were launched
  std::map<std::uint64_t, CtaTokens> running_;
  CtaTokens* cta_ = nullptr;  // of the event before
  std::uint64_t cta_number_ = 0;
};

}  // namespace timing
