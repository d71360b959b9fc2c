// A kernel nobody subscribed to costs nothing: what runs is, step for step, what runs without tools.
#include <doctest/doctest.h>

#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "emulator/hooks/hooks.h"

using namespace wedjat;

namespace {

constexpr const char* two_kernels = R"(.version 8.0
.target sm_90
.address_size 64
.func (.reg .b32 %o) half(.reg .b32 %i) { shr.u32 %o, %i, 1; ret; }
.visible .entry watched(.param .u64 p) { ret; }
.visible .entry unwatched(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
L:
  ld.global.u32 %r2, [%rd3];
  call.uni (%r3), half, (%r2);
  setp.ne.u32 %p1, %r3, 0;
  st.global.u32 [%rd3], %r3;
@%p1 bra L;
  ret; })";

void check_same(const kernel::Function& a, const kernel::Function& b) {
  CHECK(a.frame_bytes == b.frame_bytes);
  CHECK(a.rows == b.rows);
  CHECK(a.fills.size() == b.fills.size());
  REQUIRE(a.steps.size() == b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    const kernel::Step &x = a.steps[i], &y = b.steps[i];
    CHECK((x.full == y.full));
    CHECK((x.masked == y.masked));
    CHECK(x.id == y.id);
    CHECK(x.guard == y.guard);
    CHECK(x.flags == y.flags);
    CHECK(x.row - a.rows.data() == y.row - b.rows.data());
  }
  REQUIRE(a.blocks.size() == b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    CHECK(a.blocks[i].first == b.blocks[i].first);
    CHECK(a.blocks[i].count == b.blocks[i].count);
    CHECK(a.blocks[i].end.kind == b.blocks[i].end.kind);
    CHECK(a.blocks[i].end.target == b.blocks[i].end.target);
  }
}

}  // namespace

TEST_CASE("a kernel nobody watches runs as if there were no tool") {
  hooks::Hooks hooks;
  hooks.add("instruction_count,kernel=watched");
  hooks.add("race_check,kernel=watched");
  device::DeviceOptions options;
  options.hooks = &hooks;
  device::Device device(options);
  device::Module* const module = device.load_module({{"k.ptx", two_kernels}}, {});
  memory::DeviceMemory memory;
  for (const char* name : {"watched", "unwatched"}) {
    const std::uint32_t index = module->kernel_index(name);
    const kernel::Kernel& inspected = module->lowered(index, kernel::Registers::named);
    const kernel::Kernel& plain = module->lowered(index, kernel::Registers::shared);
    exec::Observer* observer = nullptr;
    auto threads = hooks::Threads::all;
    const exec::Launch launch{.kernel = inspected, .memory = memory};
    const auto lowered = [&](kernel::Registers registers) -> const kernel::Kernel& {
      return module->lowered(index, registers);
    };
    const kernel::Kernel* const run = hooks.begin(inspected, launch, lowered, observer, threads);
    hooks.end(0, 0);
    const bool is_watched = std::string(name) == "watched";
    CHECK((run != nullptr) == is_watched);
    CHECK((observer != nullptr) == is_watched);
    CHECK((threads != hooks::Threads::all) == is_watched);
    REQUIRE(inspected.functions.size() == plain.functions.size());
    for (std::size_t f = 0; f < plain.functions.size(); ++f)
      check_same(inspected.functions[f], plain.functions[f]);
  }
}
