// What updates of one thread come to, apart from memory that other threads update: many threads that update
// the same words would wait for each other's cache lines.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "emulator/exec/access/update_algebra.h"

namespace wedjat::exec {

/// Of an allocation that a launch updates by one operation and touches in no other way.
class PartResults {
 public:
  /// Words that stand for the allocation, each neutral to the operation at first. Nothing if it has no such
  /// number.
  std::optional<memory::Extent> stand_in(const memory::Extent& extent, const UpdateRunner& runner,
                                         const UpdateAlgebra& algebra);
  /// The allocations get what their words have become.
  void deliver();

 private:
  struct Part {
    memory::Extent extent;
    memory::HostPages words;
    std::optional<UpdateRunner> runner;
    std::uint64_t neutral = 0;
  };
  std::unordered_map<std::uint64_t, Part> parts_;  // by address
};

}  // namespace wedjat::exec
