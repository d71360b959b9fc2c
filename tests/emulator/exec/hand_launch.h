// Launches a hand-built kernel on a fresh device memory and reads what it left.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/exec/access/fault.h"
#include "emulator/sched/grid.h"
#include "tests/emulator/exec/hand_executors.h"

namespace wedjat::test {

/// Buffers of u32 at fixed addresses; parameter i of the kernel is the address of buffer i.
class HandDevice {
 public:
  std::uint64_t buffer(std::size_t words, std::string label = "buffer") {
    const std::uint64_t address = 0x7f1200000000 + 0x100000 * parameters_.size();
    memory.allocate_at(address, 4 * words, std::move(label));
    parameters_.push_back(address);
    return address;
  }
  std::uint32_t* words(std::size_t buffer) {
    return reinterpret_cast<std::uint32_t*>(memory.host(parameters_[buffer], 4, "test"));
  }
  sched::Statistics run(const kernel::Kernel& kernel, exec::Dim3 grid, exec::Dim3 block,
                        exec::LaunchOptions options = {}, std::uint32_t shared_bytes = 0) {
    return sched::run_grid({.kernel = kernel,
                            .grid = grid,
                            .block = block,
                            .cluster = {},
                            .dynamic_shared_bytes = shared_bytes,
                            .parameters = std::as_bytes(std::span(parameters_)).first(kernel.parameter_bytes),
                            .memory = memory,
                            .heap = &heap,
                            .print = [this](std::string_view text) { printed += text; },
                            .options = options});
  }

  memory::DeviceMemory memory;
  memory::Heap heap{memory, 8 << 20};
  std::string printed;

 private:
  std::vector<std::uint64_t> parameters_;
};

}  // namespace wedjat::test
