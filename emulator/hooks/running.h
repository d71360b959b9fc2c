// A launch that tools watch, while it runs: what its probes find through CtaState::observed.
#pragma once
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/exec/launch.h"
#include "emulator/hooks/instrumented.h"

/// Valid while a handler runs.
struct wedjat_context {
  wedjat::exec::WarpContext* warp = nullptr;
  const wedjat::kernel::Step* step = nullptr;  ///< the instruction's own; null without rows
  std::uint32_t mask = 0;                      ///< of a replacement
  bool may_write = false;
};

namespace wedjat::hooks {

class Client;
class RunningLaunch;

/// Of one CTA slot: no other thread touches it while it runs.
struct CtaWatch {
  RunningLaunch* launch = nullptr;
  const Instrumented* code = nullptr;
  std::vector<std::uint64_t> counts;  ///< by Count::counter, over all CTAs of the slot
  std::vector<std::byte> saved;  ///< by warp: what a probe before an instruction kept for the one after it
  wedjat_event event{};          ///< what stays the same for a CTA
};

class RunningLaunch final : public exec::Observer {
 public:
  RunningLaunch(const Instrumented& code, const wedjat_launch& launch, std::span<Client* const> clients,
                const std::vector<Client*>& cta_listeners)
      : code_(code), launch_(launch), clients_(clients), cta_listeners_(cta_listeners) {}

  void begins(exec::CtaState& cta) override;
  void ends(exec::CtaState& cta) override;
  /// By tool, what its counters counted.
  void add_counts(std::size_t tool, std::vector<std::uint64_t>& to) const;

  const wedjat_launch& launch() const { return launch_; }
  Client& client(std::size_t tool) const { return *clients_[tool]; }

 private:
  const Instrumented& code_;
  const wedjat_launch& launch_;
  std::span<Client* const> clients_;
  const std::vector<Client*>& cta_listeners_;
  std::mutex mutex_;
  std::deque<CtaWatch> slots_;
};

int run_original(wedjat_context* context);
int read_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                void* to, std::size_t bytes);
int write_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                 const void* from, std::size_t bytes);

}  // namespace wedjat::hooks
