// What a launch can end in besides success. Text that is no PTX throws ptx::Error.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "emulator/exec/access/fault.h"

namespace wedjat::device {

// Something that cannot be carried out: an unknown or illegal instruction, an absurd launch configuration, an
// unresolved symbol.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Refused(const std::string& message, std::string in_file, std::uint32_t in_line, std::uint32_t in_column)
      : std::runtime_error(message), file(std::move(in_file)), line(in_line), column(in_column) {}

  // The place in the PTX, if it is one; line and column from 1.
  std::string file;
  std::uint32_t line = 0, column = 0;
};

// The instruction that failed, and the first of its threads that did.
struct FailurePlace {
  std::string kernel, file;  // file: of the PTX, as its source is called
  std::uint32_t line = 0;    // there, from 1
  std::uint64_t cta = 0;     // x runs fastest, from 0
  std::uint32_t thread = 0;  // of the CTA, x runs fastest, from 0
};

// The kernel ran and did something wrong: out of bounds, misaligned, deadlock, assert, trap, undefined
// behaviour.
class Failed : public std::runtime_error {
 public:
  explicit Failed(const std::string& message, std::optional<exec::FaultKind> what = {},
                  std::optional<FailurePlace> where = {})
      : std::runtime_error(message), fault(what), place(std::move(where)) {}

  std::optional<exec::FaultKind> fault;  // of the kernel; absent if none ran
  std::optional<FailurePlace> place;     // absent if no single instruction failed, as in a deadlock
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
