#include "traces/order/causes.h"

#include <fmt/format.h>

#include "emulator/device/error.h"
#include "emulator/hooks/hooks.h"
#include "utilities/memory_check/memory_check.hpp"
#include "utilities/race_check/race_check.hpp"

namespace wedjat::traces {
namespace {

// One race of a launch says enough.
class FirstRaces : public race_check::RaceCheck {
 public:
  bool launch_begin(const wedjat_launch& launch) override {
    RaceCheck::launch_begin(launch);
    before_ = program->races.count(0);
    return true;
  }
  bool cta_begin(const wedjat_launch& launch, std::uint64_t cta) override {
    return program->races.count(0) == before_ && RaceCheck::cta_begin(launch, cta);
  }

 private:
  std::size_t before_ = 0;
};

std::string text_of(const hooks::Finding& finding) {
  return fmt::format("'{}' at {}:{} of {}, CTA {} thread {}: {}", finding.instruction, finding.ptx_file,
                     finding.ptx_line, finding.kernel, finding.cta, finding.thread, finding.message);
}

}  // namespace

Causes find_causes(const Trace& trace, ReplayOptions options, Sought sought) {
  hooks::Hooks hooks;
  if (sought != Sought::unwritten)
    hooks.add(*Tool::describe<FirstRaces>("race_check", "the first races of each launch"));
  if (sought != Sought::races)
    hooks.add(*Tool::describe<memory_check::MemoryCheck>("memory_check", "undefined values"));
  options.hooks = &hooks;
  options.differs = {};
  try {
    replay(trace, options);
  } catch (const device::Failed&) {
    // What was found up to there counts.
  }
  Causes causes;
  for (const hooks::Report& report : hooks.finish()) {
    for (const hooks::Finding& finding : report.findings) {
      if (finding.kind.ends_with("-race") && finding.severity == "error")
        causes.races.push_back({finding.kernel, text_of(finding)});
      if (finding.kind == "uninitialised-shared" || finding.kind == "uninitialised-local")
        causes.unwritten.push_back({finding.kernel, text_of(finding)});
    }
  }
  return causes;
}

}  // namespace wedjat::traces
