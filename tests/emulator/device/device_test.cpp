// What cases cannot say: several modules, placed variables, errors that stick.
#include "emulator/device/device.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "emulator/compile/tier/tier.h"
#include "emulator/device/error.h"

using namespace wedjat;

namespace {

constexpr const char* head = ".version 8.0\n.target sm_90\n.address_size 64\n";
constexpr std::uint64_t buffer = 0x7f0000000000;

template <class T>
T read(device::Device& device, std::uint64_t address) {
  T value;
  device.read(address, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::vector<std::byte> packed(std::uint64_t value) {
  std::vector<std::byte> bytes(8);
  std::memcpy(bytes.data(), &value, 8);
  return bytes;
}

const std::string storing = std::string(head) + R"(
.visible .global .align 4 .u32 number = 41;
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [number];
  add.s32 %r2, %r1, 1;
  st.global.u32 [%rd1], %r2;
  ret; })";

}  // namespace

TEST_CASE("variables lie where they were recorded, initialised") {
  device::Device device({});
  device::Module* module = device.load_module({{"a.ptx", storing}}, {{"number", 0x7f4200000200}});
  CHECK(read<std::uint32_t>(device, 0x7f4200000200) == 41);
  device.allocate_at(buffer, 4, "out");
  device.launch(device.function(module, "k"), {}, packed(buffer));
  CHECK(read<std::uint32_t>(device, buffer) == 42);
  device.unload_module(module);
  CHECK_FALSE(device.is_allocated(0x7f4200000200));
}

TEST_CASE("instances of a module have variables of their own, but managed ones are one for all") {
  const std::string text = std::string(head) + R"(
.visible .global .attribute(.managed) .align 4 .u32 both = 5;
.visible .global .align 4 .u32 own = 6;
.visible .entry k() {
  .reg .b32 %r<2>;
  ld.global.u32 %r0, [both];
  ld.global.u32 %r1, [own];
  add.u32 %r0, %r0, %r1;
  st.global.u32 [both], %r0;
  st.global.u32 [own], %r0;
  ret; })";
  constexpr std::uint64_t both = 0x7f4200000000, first_own = 0x7f4200000200, second_own = 0x7f4200000400;
  device::Device device({});
  device::Module* const first = device.load_module({{"a.ptx", text}}, {{"both", both}, {"own", first_own}});
  device.launch(device.function(first, "k"), {}, {});
  device::Module* const second = device.load_module({{"a.ptx", text}}, {{"both", both}, {"own", second_own}});
  device.launch(device.function(second, "k"), {}, {});
  CHECK(read<std::uint32_t>(device, both) == 17);
  CHECK(read<std::uint32_t>(device, first_own) == 11);
  CHECK(read<std::uint32_t>(device, second_own) == 17);
  device.unload_module(second);
  CHECK(device.is_allocated(both));
  device.unload_module(first);
  CHECK_FALSE(device.is_allocated(both));
}

TEST_CASE("a module goes whose variable was freed by itself") {
  constexpr std::uint64_t address = 0x7f4200000000;
  device::Device device({});
  device::Module* const module = device.load_module(
      {{"a.ptx", std::string(head) + ".visible .global .attribute(.managed) .align 4 .u32 number = 5;"}},
      {{"number", address}});
  device.free(address);
  device.unload_module(module);
  CHECK_FALSE(device.is_allocated(address));
}

TEST_CASE("several texts make one program") {
  const std::string user = std::string(head) + R"(
.extern .global .align 4 .u32 number;
.extern .func (.param .b32 r) twice(.param .b32 a);
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [number];
  { .param .b32 p; st.param.b32 [p], %r1; .param .b32 q; call (q), twice, (p); ld.param.b32 %r2, [q]; }
  st.global.u32 [%rd1], %r2;
  ret; })";
  const std::string provider = std::string(head) + R"(
.visible .global .align 4 .u32 number = 21;
.visible .func (.param .b32 r) twice(.param .b32 a) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [r], %r2;
  ret; })";
  device::Device device({});
  device::Module* module = device.load_module({{"user.ptx", user}, {"provider.ptx", provider}}, {});
  device.allocate_at(buffer, 4, "out");
  const device::LaunchStatistics statistics = device.launch(device.function(module, "k"), {}, packed(buffer));
  CHECK(read<std::uint32_t>(device, buffer) == 42);
  CHECK(statistics.warp_instructions == 11);
  CHECK(statistics.thread_instructions == 11);
}

TEST_CASE("a fault in a function of another text names that text") {
  const std::string user = std::string(head) + R"(
.extern .func store(.param .b64 at);
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  { .param .b64 p; st.param.b64 [p], %rd1; call store, (p); }
  ret; })";
  const std::string provider = std::string(head) + R"(
.visible .func store(.param .b64 at) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [at];
  st.global.u32 [%rd1], %r1;
  ret; })";
  device::Device device({});
  device::Module* module = device.load_module({{"user.ptx", user}, {"provider.ptx", provider}}, {});
  CHECK_THROWS_WITH_AS(device.launch(device.function(module, "k"), {}, packed(buffer)),
                       doctest::Contains("at provider.ptx:"), device::Failed);
}

TEST_CASE("a failed kernel breaks the device; a refused one does not") {
  device::Device device({});
  device::Module* module = device.load_module({{"a.ptx", storing}}, {});
  device.allocate_at(buffer, 4, "out");
  CHECK_THROWS_AS(device.launch(device.function(module, "k"), {}, {}), device::Refused);
  device.launch(device.function(module, "k"), {}, packed(buffer));
  CHECK_THROWS_AS(device.launch(device.function(module, "k"), {}, packed(0x7f0000000010)), device::Failed);
  CHECK_THROWS_WITH_AS(device.launch(device.function(module, "k"), {}, packed(buffer)),
                       doctest::Contains("cannot be used after a kernel failed"), device::Failed);
  CHECK_THROWS_AS(read<std::uint32_t>(device, buffer), device::Failed);
}

TEST_CASE("copies and allocations are checked") {
  device::Device device({});
  device.allocate_at(buffer, 16, "sixteen");
  std::vector<std::byte> bytes(17);
  CHECK_THROWS_WITH_AS(device.read(buffer, bytes), doctest::Contains("sixteen"), device::Failed);
  CHECK_THROWS_AS(device.write(buffer + 1, std::span(bytes).first(16)), device::Failed);
  CHECK_THROWS_AS(device.allocate_at(buffer + 8, 16, "overlaps"), device::Refused);
  CHECK_THROWS_AS(device.free(buffer + 8), device::Failed);
  device.free(buffer);
  CHECK_THROWS_AS(device.free(buffer), device::Failed);
}

namespace {

// All threads add 1 + 1 + 1 to the first number and store that there; in blocks of instructions of their own.
const std::string racing = std::string(head) + R"(
.visible .entry k(.param .u64 at) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [at];
  ld.global.u32 %r1, [%rd1];
  mov.u32 %r2, 0;
again:
  add.u32 %r1, %r1, 1;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 3;
  @%p1 bra again;
  st.global.u32 [%rd1], %r1;
  ret; })";

std::uint32_t raced(bool side_by_side, unsigned threads) {
  device::Device device({.threads = threads, .side_by_side = side_by_side});
  device::Module* module = device.load_module({{"a.ptx", racing}}, {});
  device.allocate_at(buffer, 4, "number");
  device.launch(device.function(module, "k"), {.grid = {2, 1, 1}, .block = {64, 1, 1}}, packed(buffer));
  return read<std::uint32_t>(device, buffer);
}

}  // namespace

TEST_CASE("side by side all warps of all CTAs read before one has finished") {
  CHECK(raced(false, 1) == 4 * 3);
  CHECK(raced(true, 1) == 3);
  CHECK(raced(true, 4) == 3);
}

TEST_CASE("what a kernel finds beside its memory") {
  for (const bool mapped : {false, true}) {
    CAPTURE(mapped);
    device::Device device({.surroundings = mapped});
    device.allocate_at(buffer, 4, "out");
    // Beside it, and there before the pages beside it are.
    device::Module* module = device.load_module({{"a.ptx", storing}}, {{"number", buffer + 512}});
    const auto beside = [&] { device.launch(device.function(module, "k"), {}, packed(buffer + 4096)); };
    if (mapped) {
      CHECK_NOTHROW(beside());
      CHECK(read<std::uint32_t>(device, buffer + 512) == 41);
    } else {
      try {
        beside();
        FAIL("it is out of bounds");
      } catch (const device::Failed& failure) {
        CHECK(failure.out_of_bounds());
      }
    }
  }
}

TEST_CASE("parameters of a kernel") {
  device::Device device({});
  device::Module* module = device.load_module(
      {{"p.ptx", std::string(head) + ".visible .entry k(.param .u8 a, .param .u64 b, .param .align 4 .b8 "
                                     "c[12], .param .u16 d) { ret; }"}},
      {});
  const auto slots = device.parameters(device.function(module, "k"));
  REQUIRE(slots.size() == 4);
  CHECK(slots[1].offset == 8);
  CHECK(slots[2].offset == 16);
  CHECK(slots[2].size == 12);
  CHECK(slots[3].offset == 28);
}

TEST_CASE("the variables of a module") {
  device::Device device({});
  device::Module* module = device.load_module(
      {{"v.ptx", std::string(head) +
                     ".global .align 4 .b8 bytes[12];\n.const .f32 pi = 0f40490fdb;\n.global .texref tex;"}},
      {});
  const auto variables = device.variables(module);
  REQUIRE(variables.size() == 3);
  CHECK(variables[0].name == "bytes");
  CHECK(variables[0].type == "b8");
  CHECK(variables[0].place.size == 12);
  CHECK(variables[1].name == "pi");
  CHECK(read<float>(device, variables[1].place.address) == 3.14159274f);
  CHECK(variables[2].type == "texref");
}

TEST_CASE("what the declaration of a kernel says") {
  device::Device device({});
  device::Module* module = device.load_module(
      {{"p.ptx", std::string(head) + ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, "
                                     ".param .align 4 .b8 c[12])\n.reqntid 32, 2\n{ ret; }"}},
      {});
  const device::Signature k = device.signature(device.function(module, "k"));
  CHECK(k.kernel == "k");
  CHECK(k.file == "p.ptx");
  CHECK(k.line == 4);
  CHECK(k.block == std::array<std::uint32_t, 3>{32, 2, 1});
  REQUIRE(k.parameters.size() == 3);
  CHECK(k.parameters[0].name == "a");
  CHECK(k.parameters[0].type == "u8");
  CHECK_FALSE(k.parameters[0].is_array);
  CHECK(k.parameters[1].is_pointer);
  CHECK(k.parameters[1].offset == 8);
  CHECK(k.parameters[2].is_array);
  CHECK(k.parameters[2].elements == 12);
  CHECK(k.parameters[2].size == 12);
  CHECK(k.parameters[2].alignment == 4);
}

TEST_CASE("a kernel that cannot be run is refused with its place") {
  device::Device device({});
  device::Module* module = device.load_module(
      {{"r.ptx", std::string(head) +
                     ".visible .entry k() {\n  .reg .b32 %r<2>;\n  frobnicate.b32 %r0, %r1;\n  ret; }"}},
      {});
  try {
    device.launch(device.function(module, "k"), {}, {});
    FAIL("there is no such instruction");
  } catch (const device::Refused& refusal) {
    CHECK(refusal.file == "r.ptx");
    CHECK(refusal.line == 6);
  }
}

TEST_CASE("a failure says which instruction of which thread failed") {
  device::Device device({});
  device::Module* module = device.load_module({{"f.ptx", std::string(head) + R"(
.visible .entry k(.param .u64 out) {
  .reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p, %r1, 1;
  @%p exit;
  setp.lt.u32 %p, %r2, 5;
  @%p exit;
  st.global.u32 [%rd1], %r2;
  ret; })"}},
                                              {});
  device::LaunchConfig config;
  config.grid[0] = 2;
  config.block[0] = 64;
  try {
    device.launch(device.function(module, "k"), config, packed(buffer));
    FAIL("it is out of bounds");
  } catch (const device::Failed& failure) {
    REQUIRE(failure.place);
    CHECK(failure.place->kernel == "k");
    CHECK(failure.place->file == "f.ptx");
    CHECK(failure.place->line == 14);
    CHECK(failure.place->cta == 1);
    CHECK(failure.place->thread == 5);
  }
}

// What launches remember of each other must not show: memory that was freed is gone, and another device has
// its own.
namespace {

constexpr std::uint64_t copied_from = 0x7f0000000000, copied_to = 0x7f1000000000;
constexpr std::uint32_t copiers = 64, copied_bytes = copiers * 4;

constexpr const char* copying = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to) {
  .reg .b64 %from, %to, %at; .reg .b32 %r<3>;
  ld.param.u64 %from, [from]; ld.param.u64 %to, [to];
  mov.u32 %r1, %tid.x; mul.wide.u32 %at, %r1, 4; add.u64 %from, %from, %at; add.u64 %to, %to, %at;
  ld.global.u32 %r2, [%from]; add.u32 %r2, %r2, 1; st.global.u32 [%to], %r2;
  ret;
})";

struct Copier {
  explicit Copier(std::shared_ptr<compile::Tier> native, std::uint32_t value)
      : device({.threads = 1, .native = std::move(native)}) {
    device.allocate_at(copied_from, copied_bytes, "from");
    device.allocate_at(copied_to, copied_bytes, "to");
    fill(value);
    module = device.load_module({{"copier", copying}}, {});
  }
  void fill(std::uint32_t value) {
    std::array<std::uint32_t, copiers> all;
    all.fill(value);
    device.write(copied_from, std::as_bytes(std::span(all)));
  }
  std::uint32_t launch() {
    const std::uint64_t parameters[] = {copied_from, copied_to};
    device::LaunchConfig config;
    config.block[0] = copiers;
    device.launch(device.function(module, "k"), config, std::as_bytes(std::span(parameters)));
    std::array<std::uint32_t, copiers> all;
    device.read(copied_to, std::as_writable_bytes(std::span(all)));
    return all[17];
  }
  device::Device device;
  device::Module* module = nullptr;
};

void check_copiers(const std::shared_ptr<compile::Tier>& native) {
  Copier one(native, 5), other(native, 50);
  for (int i = 0; i < 3; ++i) {
    CHECK(one.launch() == 6);
    CHECK(other.launch() == 51);
  }
  // Another allocation at the same place.
  one.device.free(copied_from);
  one.device.allocate_at(copied_from, copied_bytes, "again");
  one.fill(70);
  CHECK(one.launch() == 71);
  CHECK(other.launch() == 51);
  // None.
  one.device.free(copied_from);
  CHECK_THROWS_AS(one.launch(), device::Failed);
  CHECK(other.launch() == 51);
}

}  // namespace

TEST_CASE("launches find what is there now") { check_copiers(nullptr); }

TEST_CASE("and so does native code") {
  const auto tier = std::make_shared<compile::Tier>(compile::TierOptions{.when = compile::When::always});
  if (!tier->missing().empty()) {
    CHECK(!WEDJAT_HAS_COMPILER);
    return;
  }
  check_copiers(tier);
}
