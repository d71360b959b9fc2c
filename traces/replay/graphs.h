// Graphs made by stream capture: which calls each holds.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "traces/read/trace.h"

namespace wedjat::traces {

class Graphs {
 public:
  // True if the call goes into a graph instead of running.
  bool capture(const Call& call);

  void begin(std::uint64_t stream, std::uint64_t sequence);         // cuStreamBeginCapture
  void end(std::uint64_t stream, std::uint64_t graph);              // cuStreamEndCapture
  bool instantiate(std::uint64_t graph, std::uint64_t executable);  // false: not a graph of ours
  const std::vector<const Call*>* executable(std::uint64_t handle) const;

 private:
  using Nodes = std::vector<const Call*>;
  std::unordered_map<std::uint64_t, std::uint64_t> capturing_;  // stream -> capture, named by where it began
  std::unordered_map<std::uint64_t, std::uint64_t> events_;     // event -> capture
  std::unordered_map<std::uint64_t, Nodes> captured_;           // by capture
  std::unordered_map<std::uint64_t, Nodes> graphs_, executables_;
};

}  // namespace wedjat::traces
