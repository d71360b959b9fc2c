// What a launch can end in besides success. Text that is no PTX throws ptx::Error.
#pragma once

#include <optional>
#include <stdexcept>

#include "emulator/exec/access/fault.h"

namespace wedjat::device {

// Something that cannot be carried out: an unknown or illegal instruction, an absurd launch configuration, an
// unresolved symbol.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The kernel ran and did something wrong: out of bounds, misaligned, deadlock, assert, trap, undefined
// behaviour.
class Failed : public std::runtime_error {
 public:
  explicit Failed(const std::string& message, std::optional<exec::FaultKind> what = {})
      : std::runtime_error(message), fault(what) {}

  std::optional<exec::FaultKind> fault;  // of the kernel; absent if none ran
  bool out_of_bounds() const {
    return fault == exec::FaultKind::out_of_bounds;
  }  // an access to no allocation
};

// Somebody wanted the launch to end: interrupt().
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wedjat::device
