// An assertion of the kernel that threads failed.
#pragma once
#include <string>
#include <vector>

#include "emulator/exec/access/fault.h"

namespace wedjat::exec {

/// Threads of a warp failed an assertion. It ends there; others may go on.
class Assertion : public Fault {
 public:
  /// `told`: a line each thread; `where`: of the first.
  Assertion(const std::vector<std::string>& told, const std::string& where, const Place& place);
  const std::vector<std::string>& told() const { return told_; }
  /// Also what others failed, later.
  Assertion with(const Assertion& other) const;

 private:
  std::vector<std::string> told_;
  std::string where_;
};

/// Throws an Assertion of instruction `id` and these lanes.
[[gnu::cold, noreturn]] void fail_assertion(const WarpContext& warp, std::uint32_t id, std::uint32_t lanes,
                                            const std::vector<std::string>& told);

}  // namespace wedjat::exec
