// Addresses the hardware chose and we chose otherwise: the same thing under two names.
#include "traces/replay/state/chosen_addresses.h"

#include <doctest/doctest.h>

#include <cstring>

#include "emulator/device/error.h"
#include "emulator/memory/windows.h"

using namespace wedjat;
using traces::ChosenAddresses;

namespace {

constexpr const char* ptx = R"(.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 r) twice(.param .b32 a) {
  .reg .b32 x;
  ld.param.b32 x, [a];
  add.u32 x, x, x;
  st.param.b32 [r], x;
  ret;
}
.global .u64 pointers[2] = {twice, generic(data)};
.global .u32 data = 7;
.visible .entry k(.param .u64 out, .param .u64 f) {
  .reg .b64 p, g;
  .reg .b32 x;
  ld.param.u64 p, [out];
  ld.param.u64 g, [f];
  mov.u64 p, p;
  { .param .b32 a; .param .b32 r;
    st.param.b32 [a], 21;
    signature: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), g, (a), signature;
    ld.param.b32 x, [r]; }
  st.global.u32 [p], x;
  mov.u64 g, twice;
  ret;
}
)";

using Words = std::vector<std::uint64_t>;

struct Program {
  static constexpr std::uint64_t memory = 0x7f0000000000u, global = 0x7f0000010000u;
  device::Device device{{}};
  device::Module* module = nullptr;
  Program() {
    device.allocate_at(memory, 4096, "out");
    module = device.load_module({{"k.ptx", ptx}}, {{"pointers", global}});
  }
  Words pointers() const {
    Words words(2);
    device.read(global, std::as_writable_bytes(std::span(words)));
    return words;
  }
  std::uint32_t called(std::uint64_t function) {
    const std::uint64_t parameters[] = {memory, function};
    device.launch(device.function(module, "k"), {}, std::as_bytes(std::span(parameters)));
    std::uint32_t result = 0;
    device.read(memory, std::as_writable_bytes(std::span(&result, 1)));
    return result;
  }
};

std::uint64_t translate(ChosenAddresses& addresses, const Words& theirs, Words& ours) {
  return addresses.translate(Program::global, std::as_bytes(std::span(theirs)),
                             std::as_writable_bytes(std::span(ours)));
}

}  // namespace

TEST_CASE("a function and a variable under the hardware's addresses") {
  Program program;
  ChosenAddresses addresses(program.device);
  const Words theirs = {0x60, 0x7fcd00001000};
  Words ours = program.pointers();
  CHECK(ours != theirs);
  CHECK(translate(addresses, theirs, ours) == 2);
  CHECK(ours == theirs);
  CHECK(program.called(0x60) == 42);  // the program carries what it copied to the host into a kernel
}

TEST_CASE("one address of ours does not stand for two of theirs, nor two for one") {
  Program program;
  ChosenAddresses addresses(program.device);
  const Words own = program.pointers();
  Words ours = {own[0], own[0]};
  CHECK(translate(addresses, {0x60, 0x70}, ours) == 1);
  CHECK(ours == Words{0x60, own[0]});
  ours = {own[1], own[1]};
  CHECK(translate(addresses, {0x60, 0}, ours) == 0);
  CHECK(ours == Words{own[1], own[1]});
}

TEST_CASE("a pair that was turned down is not remembered") {
  Program program;
  ChosenAddresses addresses(program.device);
  const Words own = program.pointers();
  Words ours = {own[0], own[1]};
  CHECK(translate(addresses, {0x60, 0x60}, ours) == 1);  // 0x60 cannot be both
  ours = {own[0], own[1]};
  CHECK(translate(addresses, {0x60, 0x7fcd00001000}, ours) == 2);
}

TEST_CASE("numbers that are no address of ours stay what they are") {
  Program program;
  ChosenAddresses addresses(program.device);
  Words ours = {5, Program::memory};
  CHECK(translate(addresses, {6, 0x1234}, ours) == 0);
  CHECK(ours == Words{5, Program::memory});
  const Words wrong = {memory::heap_window.base + 16, program.pointers()[1]};
  ours = wrong;  // no block lies there; the variable, but at another place in it
  CHECK(translate(addresses, {17, 0x7fcd00001004}, ours) == 0);
  CHECK(ours == wrong);
  CHECK_THROWS_WITH_AS(program.called(0x60), doctest::Contains("no function has the address 0x60"),
                       device::Failed);
}
