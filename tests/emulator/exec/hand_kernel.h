// Kernels built by hand, with small executors of their own: the engine is tested without PTX and without
// generated code.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "emulator/exec/access/memory_access.h"
#include "emulator/exec/cta/barrier_port.h"
#include "emulator/kernel/lowered/kernel.h"
#include "emulator/kernel/lowered/special_registers.h"

namespace wedjat::test {

using exec::row;
using exec::WarpContext;
using kernel::Step;

/// Predicate, 32-bit and 64-bit rows of a function, as byte offsets in its frame.
struct P {
  std::uint32_t at;
};
struct R {
  std::uint32_t at;
};
struct D {
  std::uint32_t at;
};

struct Guard {
  P predicate{0};
  bool negated = false, used = false;
};
inline Guard when(P p) { return {p, false, true}; }
inline Guard unless(P p) { return {p, true, true}; }

struct Executors {
  kernel::Executor full, masked;
};

/// Writes one function: registers, blocks in priority order, steps.
class FunctionWriter {
 public:
  FunctionWriter(kernel::Kernel& kernel, std::uint32_t index) : kernel_(kernel), index_(index) {
    function().rows.reserve(4096);
  }

  P pred() { return {take(64)}; }
  R reg() { return {take(128)}; }
  D wide() { return {take(256)}; }
  R constant(std::uint32_t value) { return filled(reg(), kernel::RowFill::Source::Constant, value); }
  D wide_constant(std::uint64_t value) {
    const D row = wide();
    function().fills.push_back({row.at, kernel::RowFill::Source::Constant, 8, value, 0});
    return row;
  }
  R special(kernel::SpecialRegister which) {
    return filled(reg(), kernel::RowFill::Source::Special, static_cast<std::uint64_t>(which));
  }
  D parameter(std::uint32_t offset) {
    const D row = wide();
    function().fills.push_back({row.at, kernel::RowFill::Source::Parameter, 8, offset, 0});
    return row;
  }
  D local_address(std::uint32_t offset) {
    const D row = wide();
    function().fills.push_back({row.at, kernel::RowFill::Source::Local, 8, offset, 0});
    return row;
  }

  /// Begins the next block and gives its number.
  std::uint32_t block() {
    function().blocks.push_back({.first = static_cast<std::uint32_t>(function().steps.size())});
    return static_cast<std::uint32_t>(function().blocks.size()) - 1;
  }
  void step(Executors executors, std::initializer_list<std::uint32_t> rows, Guard guard = {},
            unsigned flags = 0, std::string text = "step") {
    auto& f = function();
    Step s{executors.full,
           executors.masked,
           f.rows.data() + f.rows.size(),
           nullptr,
           origin(std::move(text)),
           0,
           0};
    f.rows.insert(f.rows.end(), rows);
    s.guard = coded(guard);
    s.flags = static_cast<std::uint16_t>(
        flags | (guard.used && guard.negated ? kernel::step_flag::guard_negated : 0u));
    if (flags & kernel::step_flag::ordered) kernel_.ordered = true;
    f.steps.push_back(s);
    ++f.blocks.back().count;
    ++f.blocks.back().instructions;
  }
  void system(kernel::SystemOp op, std::initializer_list<std::uint32_t> rows, unsigned flags = 0,
              Guard guard = {}) {
    step({}, rows, guard, kernel::step_flag::system | flags | static_cast<unsigned>(op) << 8, "system");
  }
  kernel::Terminator& end(kernel::End kind, std::uint32_t target = 0, std::uint32_t next = 0,
                          Guard guard = {}) {
    auto& last = function().blocks.back().end;
    last.kind = kind;
    last.target = target;
    last.next = next;
    last.guard = coded(guard);
    last.negated = guard.negated;
    last.id = origin(kind == kernel::End::Exit ? "exit" : kind == kernel::End::Call ? "call" : "bra");
    if (kind != kernel::End::Fall) ++function().blocks.back().instructions;
    return last;
  }
  void fall(std::uint32_t target) { end(kernel::End::Fall, target); }
  void exit(Guard guard = {}, std::uint32_t next = 0) { end(kernel::End::Exit, 0, next, guard); }

  kernel::Function& function() { return kernel_.functions[index_]; }

 private:
  std::uint32_t take(std::uint32_t bytes) {
    const std::uint32_t at = function().frame_bytes;
    function().frame_bytes += bytes;
    return at;
  }
  R filled(R row, kernel::RowFill::Source source, std::uint64_t value) {
    function().fills.push_back({row.at, source, 4, value, 0});
    return row;
  }
  static std::uint16_t coded(Guard guard) {
    return guard.used ? static_cast<std::uint16_t>(1 + guard.predicate.at / 64) : std::uint16_t{0};
  }
  std::uint32_t origin(std::string text) {
    const auto id = static_cast<std::uint32_t>(kernel_.origins.size());
    kernel::Origin origin;
    origin.function = index_;
    origin.ptx_line = id + 1;
    origin.text = std::move(text);
    kernel_.origins.push_back(std::move(origin));
    return id;
  }

  kernel::Kernel& kernel_;
  std::uint32_t index_;
};

/// A kernel with `functions` functions, the entry first.
inline kernel::Kernel hand_kernel(std::string name, std::uint32_t functions = 1,
                                  std::uint32_t parameter_bytes = 0) {
  kernel::Kernel k;
  k.name = std::move(name);
  k.functions.resize(functions);
  for (std::uint32_t i = 0; i < functions; ++i) {
    k.functions[i].name = i == 0 ? k.name : "function" + std::to_string(i);
    k.functions[i].ptx_file = "hand.ptx";
  }
  k.parameter_bytes = parameter_bytes;
  return k;
}

}  // namespace wedjat::test
