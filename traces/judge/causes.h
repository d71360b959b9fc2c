// What a launch leaves open, and what is not known of it: reasons why the machine code may be right.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "traces/judge/judge.h"
#include "traces/judge/launch_runner.h"

namespace wedjat::traces {

// A form that was executed, and that the emulator is not known to be exact about.
struct Inexact {
  std::string form, status;
};

// Of the launch, whatever hardware left.
// Of checkers: races, undefined values, wrong synchronisation.
std::vector<Evidence> findings_of(const LaunchRunner& runner);
std::vector<Inexact> inexact_of(const LaunchRunner& runner);

// The byte at `address` comes out otherwise in another order of threads, with other contents of memory that
// nobody wrote; or as on the hardware with the other setting of contraction.
void add_choices(LaunchRunner& runner, const Runs& hardware, std::uint64_t address,
                 std::vector<Evidence>& to);
// Approximate instructions and NaNs in the slice; forms whose results were not compared with hardware.
// `by_zero`: forms that divided integers by zero.
void add_limits(const FirstFault& fault, const std::vector<std::string>& forms,
                const std::vector<Inexact>& inexact, const std::set<std::string>& by_zero,
                std::vector<Evidence>& to);

}  // namespace wedjat::traces
