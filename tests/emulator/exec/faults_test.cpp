// Accesses that are not allowed, and what the report says.
#include <doctest/doctest.h>

#include "tests/emulator/exec/hand_launch.h"

using namespace wedjat;
using namespace wedjat::test;
using exec::FaultKind;
using kernel::Space;
using kernel::SpecialRegister;

namespace {

// Thread t stores to buffer + 4 * (t * scale + offset), in bytes offset `skew`.
template <Space space>
std::pair<FaultKind, std::string> store_at(std::uint32_t scale, std::uint32_t offset, std::uint64_t skew,
                                           HandDevice& device, std::uint64_t base, exec::Dim3 grid = {},
                                           unsigned threads = 1) {
  auto k = hand_kernel("wild", 1, 8);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), s = f.constant(scale), o = f.constant(offset),
          index = f.reg();
  const D from = f.wide_constant(base + skew), at = f.wide();
  f.block();
  f.step(mul, {index.at, tid.at, s.at});
  f.step(add, {index.at, index.at, o.at});
  f.step(address4, {at.at, from.at, index.at});
  f.step(store32<space>, {at.at, tid.at}, {}, 0, "st.b32 [%rd1], %r1;");
  f.exit();
  for (auto& origin : k.origins) origin.source_line = 7;
  k.source_files = {"wild.cu"};
  try {
    device.run(k, grid, {64}, {.threads = threads}, 256);
  } catch (const exec::Fault& fault) {
    return {fault.kind(), fault.what()};
  }
  return {FaultKind::trap, "no fault"};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("out of bounds names the access, the nearest allocation, the place and the thread") {
  HandDevice device;
  const auto buffer = device.buffer(50, "cuMemAlloc 3");
  const auto fault = store_at<Space::Global>(1, 0, 0, device, buffer);
  const std::string& text = fault.second;
  INFO(text);
  CHECK(fault.first == FaultKind::out_of_bounds);
  CHECK(has(text,
            "4 bytes at global address 0x7f12000000c8: 0 bytes after the end of 'cuMemAlloc 3' (200 bytes at "
            "0x7f1200000000)"));
  CHECK(has(text, "kernel wild"));
  CHECK(has(text, "hand.ptx:4 'st.b32 [%rd1], %r1;' in wild (wild.cu:7)"));
  CHECK(has(text, "CTA (0,0,0) thread (50,0,0)"));
  CHECK(device.words(0)[49] == 0);  // its warp had not stored anything
}

TEST_CASE("misaligned, freed, before the first, and last bytes past the end") {
  HandDevice device;
  const auto buffer = device.buffer(64);
  CHECK(store_at<Space::Global>(1, 0, 2, device, buffer).first == FaultKind::misaligned);
  CHECK(store_at<Space::Global>(0, 0, 0, device, buffer - 4).first == FaultKind::out_of_bounds);
  CHECK(store_at<Space::Global>(1, 0, 0, device, buffer).second == "no fault");
  CHECK(store_at<Space::Global>(0, 63, 0, device, buffer).second == "no fault");
  device.memory.allocate_at(0x7f1300000000, 16, "odd");
  device.memory.free(0x7f1300000000);
  const auto [kind, text] = store_at<Space::Global>(0, 0, 0, device, 0x7f1300000000);
  CHECK(kind == FaultKind::use_after_free);
  CHECK(has(text, "'odd' (16 bytes at 0x7f1300000000), which was freed"));
}

TEST_CASE("shared memory ends where the launch says, reached by its own address or a generic one") {
  HandDevice device;
  device.buffer(1);
  CHECK(store_at<Space::Shared>(1, 0, 0, device, memory::shared_reserved).second == "no fault");
  CHECK(has(store_at<Space::Shared>(1, 1, 0, device, memory::shared_reserved).second,
            "4 bytes at shared address 0x500: shared memory has 256 bytes"));
  CHECK(store_at<Space::Generic>(1, 0, 0, device, memory::shared_window.base + memory::shared_reserved)
            .second == "no fault");
  CHECK(
      store_at<Space::Generic>(1, 1, 0, device, memory::shared_window.base + memory::shared_reserved).first ==
      FaultKind::out_of_bounds);
  CHECK(
      store_at<Space::Global>(1, 0, 0, device, memory::shared_window.base + memory::shared_reserved).first ==
      FaultKind::out_of_bounds);
}

TEST_CASE("lanes in several allocations and spaces at once") {
  HandDevice device;
  const auto first = device.buffer(4), second = device.buffer(4);
  // Thread t stores to word (t % 4) of one or the other, 0x100000 apart; the lowest lane of a word wins.
  CHECK(store_at<Space::Generic>(0, 0, 0, device, first).second == "no fault");
  CHECK(second == first + 0x100000);
  auto k = hand_kernel("spread", 1, 16);
  FunctionWriter f(k, 0);
  const R tid = f.special(SpecialRegister::tid_x), one = f.constant(1), odd = f.reg(),
          apart = f.constant(0x40000), two = f.constant(2);
  const R index = f.reg();
  const D base = f.parameter(0), at = f.wide();
  f.block();
  f.step(bit_and, {odd.at, tid.at, one.at});
  f.step(mul, {odd.at, odd.at, apart.at});
  f.step(bit_and, {index.at, tid.at, two.at});
  f.step(add, {index.at, index.at, odd.at});
  f.step(address4, {at.at, base.at, index.at});
  f.step(store32<Space::Generic>, {at.at, tid.at});
  f.exit();
  device.run(k, {}, {32});
  CHECK(device.words(0)[0] == 0);
  CHECK(device.words(0)[2] == 2);
  CHECK(device.words(1)[0] == 1);
  CHECK(device.words(1)[2] == 3);
}

TEST_CASE("the fault of the lowest CTA is reported, however many threads run") {
  HandDevice device;
  const auto buffer = device.buffer(64);
  const auto one = store_at<Space::Global>(1, 30, 0, device, buffer, {64}, 1);
  for (unsigned threads : {2u, 4u, 8u})
    CHECK(store_at<Space::Global>(1, 30, 0, device, buffer, {64}, threads) == one);
  CHECK(has(one.second, "CTA (0,0,0) thread (34,0,0)"));
}
