// Launches of a replay, caught while they run: what they need and what they leave, as bundles.
#pragma once

#include <functional>
#include <optional>

#include "traces/bundle/bundle.h"
#include "traces/extract/snapshot.h"
#include "traces/extract/touched.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

class Capture {
 public:
  // `wanted`: whether the launch of this number and kernel is to be caught. `hardware`: after the launch,
  // what the recording says that a GPU computed is gathered until nothing is left to learn.
  Capture(std::function<bool(std::uint64_t launch, const std::string& kernel)> wanted, bool hardware,
          std::function<void(Bundle&&)> caught);

  // Watches the replay of `trace` that these options are for. Must live as long as it lasts.
  void watch(ReplayOptions& options, hooks::Hooks& hooks, const Trace& trace);

  // The same without a recording: `hooks` are those of a device, and each launch is announced before it.
  void attach(hooks::Hooks& hooks) { log_.attach(hooks); }
  void announce(const Launching& launching) { launching_.emplace(launching); }

  // Gives what is still waited for: after the replay.
  void finish();

  std::uint64_t launches() const { return launches_; }  // so far

 private:
  bool begin(const wedjat_launch& launch);
  void end(const wedjat_launch& launch);
  void take();
  void learn(const Checked& checked, std::span<const std::byte> hardware);

  std::function<bool(std::uint64_t, const std::string&)> wanted_;
  std::function<void(Bundle&&)> caught_;
  bool hardware_;
  TouchLog log_;
  std::optional<Launching> launching_;
  std::optional<Snapshot> before_;  // of the launch that runs
  std::optional<Bundle> bundle_;    // whose hardware's values are still looked for
  ByteSet unknown_;                 // its bytes that hold what the launch left there
  std::map<std::uint64_t, std::vector<std::byte>> known_;
  // Processes have devices and addresses of their own.
  bool is_same_process(std::uint64_t sequence, std::uint64_t other) const;  // of events
  bool is_of_this_process(std::uint64_t sequence) const;
  std::map<std::uint64_t, std::int32_t> processes_;  // of events, by sequence number
  // What programs set by cuCtxSetLimit, in the order of the recording.
  struct Limit {
    std::uint64_t sequence;
    std::string_view name;
    std::uint64_t value;
  };
  std::vector<Limit> limits_;
  device::Device* device_ = nullptr;
  std::uint64_t memory_limit_ = default_memory_limit(), launches_ = 0, number_ = 0;
  bool contract_none_ = false;
};

}  // namespace wedjat::traces
