// Launches of a kernel whose body is PTX, on two arrays.
#pragma once
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator/exec/cta/launch.h"
#include "emulator/kernel/lower.h"

namespace wedjat::test {

struct Shape {
  exec::Dim3 grid{64, 1, 1}, block{128, 1, 1};
  std::uint32_t n = 1000;
};

/// The body finds two arrays in %rd1 and %rd2, a number in %r1, the CTA's index in %r3, its threads in %r4,
/// the thread's index in it in %r5 and in the grid in %r2; it may go to END.
class PtxLaunch {
 public:
  static constexpr std::uint64_t a = 0x7f1200000000, b = 0x7f1210000000, bytes = 1 << 20;

  explicit PtxLaunch(const std::string& body, const Shape& shape = {}, unsigned threads = 1)
      : shape_(shape), threads_(threads) {
    const std::string text = fmt::format(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {{
  .reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r2, %r3, %r4, %r5;
{}
END: ret;
}})",
                                         body);
    const auto module = ptx::Module::parse("k.ptx", text);
    const ptx::Module* const modules[] = {module.get()};
    const ptx::Program program = ptx::Program::link(modules);
    kernel_ = kernel::lower(program, program.find_entry("k"), NoVariables());
    for (const std::uint64_t address : {a, b}) memory.allocate_at(address, bytes, "array");
    parameters_.resize(kernel_->parameter_bytes);
    const std::uint64_t pointers[] = {a, b};
    std::memcpy(parameters_.data(), pointers, sizeof pointers);
    std::memcpy(parameters_.data() + sizeof pointers, &shape.n, sizeof shape.n);
  }

  exec::Launch launch() {
    return {.kernel = *kernel_,
            .grid = shape_.grid,
            .block = shape_.block,
            .cluster = {},
            .parameters = parameters_,
            .memory = memory,
            .options = {.threads = threads_}};
  }
  std::uint32_t* words(std::uint64_t array) {
    return reinterpret_cast<std::uint32_t*>(memory.host(array, bytes, "test"));
  }

  memory::DeviceMemory memory;

 private:
  struct NoVariables : kernel::Addresses {
    std::uint64_t variable(ptx::SymbolId) const override { return 0x1000; }
    std::uint64_t variable(std::uint32_t, const ptx::Variable&) const override { return 0x2000; }
    std::uint64_t function(ptx::SymbolId) const override { return 0xf000; }
  };

  Shape shape_;
  unsigned threads_;
  std::shared_ptr<const kernel::Kernel> kernel_;
  std::vector<std::byte> parameters_;
};

}  // namespace wedjat::test
