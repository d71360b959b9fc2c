// The launch that is judged, run in the ways that hardware is free to choose from: in each of them once,
// however many answers of hardware are judged.
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "traces/bundle/bundle.h"
#include "traces/replay/replay.h"

namespace wedjat::traces {

class LaunchRunner {
 public:
  struct Choice {
    std::uint32_t shuffle = 0;
    bool side_by_side = false;
    std::byte unwritten{0};
    bool other_contract = false;
    auto operator<=>(const Choice&) const = default;
  };

  // `bundle` has to live as long. Runs it as it is; throws what that throws.
  LaunchRunner(const Bundle& bundle, const ReplayOptions& options);

  // What it leaves as it is.
  const Runs& left() const { return left_; }
  // The same with another choice; none: it fails.
  const std::optional<Runs>& left(const Choice& choice);
  // As it is, watched. Throws what that throws.
  void run(hooks::Hooks& hooks) const;
  bool contracts() const;  // some text may be contracted

 private:
  BundleRun run(const Choice& choice, hooks::Hooks* hooks) const;

  const Bundle& bundle_;
  ReplayOptions options_;
  Runs left_;
  std::map<Choice, std::optional<Runs>> others_;
};

}  // namespace wedjat::traces
