// What one thread of one launch executed, with its results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/hooks/hooks.h"

namespace wedjat::traces {

class ThreadLog {
 public:
  static constexpr std::size_t most_steps = 4'000'000;

  struct Step {
    const wedjat_instruction* at = nullptr;  // lives as long as the Hooks
    std::uint64_t result = 0;  // of its first operand that is written; the low half of a b64 and so on
    bool has_result = false;
    std::uint64_t address = 0;  // of its first access
  };

  ThreadLog(std::uint64_t launch, std::uint64_t cta, std::uint32_t thread);
  // `hooks` must not be used after the log is gone.
  void attach(hooks::Hooks& hooks);

  const wedjat_kernel* kernel() const { return kernel_; }
  const std::vector<Step>& steps() const { return steps_; }
  bool is_whole() const { return steps_.size() < most_steps; }

  // The steps that the value stored last by `store` was computed from, in the order they ran, the store last.
  std::vector<const Step*> producers(const wedjat_instruction& store) const;

  // What the watching tool asks and notes.
  bool wants(std::uint64_t launch) const { return launch == launch_; }
  bool wants(std::uint64_t cta, std::uint32_t warp) const { return cta == cta_ && warp == thread_ / 32; }
  unsigned lane() const { return thread_ % 32; }
  void begin(const wedjat_kernel& kernel) { kernel_ = &kernel; }
  void add(const Step& step) {
    if (is_whole()) steps_.push_back(step);
  }

 private:
  std::uint64_t launch_, cta_;
  std::uint32_t thread_;
  const wedjat_kernel* kernel_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace wedjat::traces
