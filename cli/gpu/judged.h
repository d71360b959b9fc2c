// What `wedjat judge` says of what a GPU left: whose is it?
#pragma once
#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/expect/runner.h"
#include "traces/judge/judge.h"

namespace wedjat::gpu {

struct Opinion {
  std::string text;                               ///< "level 0 agrees; level 3: the PTX leaves it open (…)"
  traces::Judged worst = traces::Judged::agrees;  ///< machine_code is the worst, agrees the best
  std::vector<traces::Judged> each = {};          ///< a level each
};

/// How often each verdict was given, a kernel at a level counted once.
struct Verdicts {
  std::array<std::atomic<std::uint64_t>, 4> by{};
  std::atomic<std::uint64_t>& of(traces::Judged judged) { return by[static_cast<std::size_t>(judged)]; }
  void add(const Opinion& opinion) {
    for (const traces::Judged judged : opinion.each) of(judged)++;
  }
};

/// Of one kernel, by level. Levels at which it failed are passed over: nothing was left.
Opinion judge(const expect::Inputs& inputs, const std::map<unsigned, expect::Results>& left);

}  // namespace wedjat::gpu
