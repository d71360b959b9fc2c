// What a launch leaves open, and what is not known of it: reasons why the machine code may be right.
#pragma once

#include "traces/judge/judge.h"

namespace wedjat::traces {

struct LaunchRunner {
  const Bundle& bundle;
  const ReplayOptions& options;

  struct Choice {  // what hardware is free to choose
    hooks::Hooks* hooks = nullptr;
    std::uint32_t shuffle = 0;
    bool side_by_side = false;
    std::byte unwritten{0};
    bool other_contract = false;
  };
  BundleRun run(const Choice& choice) const;
  bool contracts() const;  // some text may be contracted
};

// Of checkers: races, undefined values, wrong synchronisation.
void add_findings(const LaunchRunner& runner, std::vector<Evidence>& to);
// The byte at `address` comes out otherwise in another order of threads, with other contents of memory that
// nobody wrote; or as on the hardware with the other setting of contraction.
void add_choices(const LaunchRunner& runner, const Runs& hardware, const BundleRun& base,
                 std::uint64_t address, std::vector<Evidence>& to);
// Approximate instructions and NaNs in the slice; forms whose results were not compared with hardware.
void add_limits(const LaunchRunner& runner, const FirstFault& fault, const std::vector<std::string>& forms,
                std::vector<Evidence>& to);

}  // namespace wedjat::traces
