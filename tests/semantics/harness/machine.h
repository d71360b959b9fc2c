// A warp's rows and memory, without an engine: what an executor needs to run one instruction.
#pragma once
#include <vector>

#include "emulator/exec/access/memory_port.h"
#include "emulator/kernel/lowered/step.h"
#include "semcc/eval/eval.h"

namespace wedjat::test {

class Machine {
 public:
  Machine();

  // Rows and memory from the frame, then the executor. `alias`: the first output's row is the row of the
  // first input of its size. Returns the frame after it: outputs, the carry flag and memory read back.
  semcc::eval::Frame run(const semcc::ir::Form& form, kernel::Executor executor,
                         const semcc::eval::Frame& before, bool alias);

 private:
  void place_rows(const semcc::ir::Form& form, bool alias);
  std::byte* memory_at(semcc::ir::Space space);

  std::vector<std::byte> rows_;
  std::vector<std::byte>
      near_;  // shared, local and parameter memory; lanes share local memory here, as the judge's lanes do
  std::vector<std::uint32_t> offsets_;
  std::vector<std::vector<std::uint32_t>> offset_of_;  // by operand and element
  memory::DeviceMemory device_;
  exec::MemoryPort port_;
};

// The machine values generated code reads, for the judge.
std::map<std::string, std::uint64_t> special_values();

}  // namespace wedjat::test
