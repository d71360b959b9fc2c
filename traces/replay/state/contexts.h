// In which context calls work, where a process has several: on several devices, or several on one.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/read/trace.h"

namespace wedjat::traces {

class Contexts {
 public:
  explicit Contexts(const Calls& calls);

  bool several() const { return !changes_.empty(); }
  // 0 in a process that has only one, or of which the trace does not tell.
  std::uint64_t of(const Call& call) const;

 private:
  using Change = std::pair<std::uint64_t, std::uint64_t>;          // sequence number of the call, context
  std::unordered_map<std::int32_t, std::vector<Change>> changes_;  // by thread
};

}  // namespace wedjat::traces
