// A launch that tools watch, while it runs: what its probes find through CtaState::observed.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/exec/cta/launch.h"
#include "emulator/exec/warp/pieces.h"
#include "emulator/exec/warp/probe.h"
#include "emulator/hooks/inspection/instrumented.h"
#include "emulator/hooks/session/filter.h"
#include "utilities/include/wedjat/expected.hpp"

namespace wedjat::hooks {
struct CtaWatch;
}

/// Valid while a handler runs.
struct wedjat_context {
  wedjat::exec::WarpContext* warp = nullptr;
  const wedjat::kernel::Step* step = nullptr;  ///< the instruction's own; null without rows
  const wedjat::hooks::Instrumented* code = nullptr;
  std::uint32_t function = 0;
  std::uint32_t mask = 0;  ///< of a replacement
  bool may_write = false;
  std::uint64_t* asleep = nullptr;  ///< of the warp: tools it sleeps for, one bit each
  std::uint32_t tool = 0;
  wedjat::hooks::CtaWatch* cta = nullptr;
  const wedjat::hooks::Probe* probe = nullptr;  ///< null: a replacement
};

namespace wedjat::hooks {

class Client;
class RunningLaunch;

/// What a thread of the host is in the launch it works on.
struct ThreadHere {
  std::uint64_t launch = 0;
  std::uint32_t index = 0;
};
inline thread_local ThreadHere thread_here;

/// Of one CTA slot: no other thread touches it while it runs.
struct CtaWatch {
  RunningLaunch* launch = nullptr;
  const Instrumented* code = nullptr;
  std::vector<std::uint64_t> counts;  ///< by Count::counter, over all CTAs of the slot
  std::vector<std::byte> saved;  ///< by warp: what a probe before an instruction kept for the one after it
  exec::Pieces pieces;           ///< what the step behind a save_probe tells
  std::vector<wedjat_piece> shown_pieces;
  wedjat_event event{};                ///< what stays the same for a CTA
  std::vector<exec::Watched> watched;  ///< by warp
  std::vector<exec::Within> within;    ///< by Probe::range
  /// What native code counted, by the tools that did not watch the warp that it counted of.
  std::map<std::uint64_t, std::vector<std::uint64_t>> cells;
  std::map<std::uint64_t, std::vector<Expected*>> expected;  ///< likewise: exec::Watched::expected
};

/// Those of a tool that concern a launch while it runs.
struct Watcher {
  Client* client = nullptr;
  const Filter* filter = nullptr;
  bool asked = false;    ///< whether to watch this launch
  bool watches = false;  ///< it does
};

class RunningLaunch final : public exec::Observer {
 public:
  RunningLaunch(const Instrumented& code, const wedjat_launch& launch, std::span<const Watcher> watchers);

  void begins(exec::CtaState& cta) override;
  void ends(exec::CtaState& cta) override;
  void warp_ends(exec::CtaState& cta, std::uint32_t warp) override;
  void allocates(std::uint64_t address, std::uint64_t bytes) override;
  void frees(std::uint64_t address) override;
  std::shared_ptr<const exec::Probes> probes() const override { return code_.native; }
  bool watches_warps() const override;
  /// By tool, what its counters counted.
  void add_counts(std::size_t tool, std::vector<std::uint64_t>& to) const;

  const wedjat_launch& launch() const { return launch_; }
  /// This thread of the host, counted from 0 in the launch.
  std::uint32_t thread() {
    if (thread_here.launch != number_) enter_thread();
    return thread_here.index;
  }
  Client& client(std::size_t tool) const { return *watchers_[tool].client; }
  /// Of what a tool needs not be told (WEDJAT_UNLESS_EXPECTED): then the launch runs one CTA at a time.
  Expectation& expectation(std::size_t tool) { return expectations_[tool]; }
  /// Of a tool, since it was asked last.
  std::uint64_t take_left_out(std::size_t tool) {
    return expectations_.empty() ? 0 : std::exchange(expectations_[tool].state().left_out, 0);
  }

 private:
  void tell(const wedjat_memory& memory);
  void begin_for(std::size_t tool, CtaWatch& slot, const exec::CtaState& cta);
  void expect_in(CtaWatch& slot, exec::Watched& warp);

  const Instrumented& code_;
  const wedjat_launch& launch_;
  std::span<const Watcher> watchers_;
  void enter_thread();

  std::mutex mutex_;
  std::deque<CtaWatch> slots_;
  std::vector<Expectation> expectations_;  // by tool; none if nobody asked
  Expectation nothing_;                    // of warps that a tool does not watch
  const std::uint64_t number_;
  std::uint32_t threads_ = 0;
};

/// RunningLaunch::thread of the launch that this thread works on.
std::uint32_t current_thread();
int sleep_warp(wedjat_context* context, int asleep);
int name_within(wedjat_context* context, std::uint64_t low, std::uint64_t bytes);
int run_original(wedjat_context* context);
int read_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                void* to, std::size_t bytes);
int write_memory(wedjat_context* context, std::uint32_t lane, wedjat_space space, std::uint64_t address,
                 const void* from, std::size_t bytes);
const void* register_row(wedjat_context* context, std::uint32_t index);
int write_register(wedjat_context* context, std::uint32_t index, std::uint32_t lane, const void* from);
int lanes_read(const wedjat_event* event, std::uint32_t* lanes);

}  // namespace wedjat::hooks
