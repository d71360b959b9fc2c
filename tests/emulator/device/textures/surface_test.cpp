// Surfaces through the device: which accesses fail, what formatted stores make of numbers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>

#include "emulator/device/device.h"
#include "emulator/device/error.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t handle = 0x77;

struct Surface {
  explicit Surface(const memory::ArrayShape& shape) : array(device.make_array(shape)) {
    device.textures().surfaces[handle] = {array};
  }
  // One thread with %s the handle, %x the coordinate, %r0 to %r3 the data; what the kernel failed with, else
  // empty.
  std::string run(const std::string& instruction, std::int32_t x, std::uint32_t data = 0) {
    const std::string text = fmt::format(R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k() {{
  .reg .b64 %s; .reg .b32 %x, %r<4>;
  mov.u64 %s, {}; mov.u32 %x, {}; mov.u32 %r0, {}; mov.u32 %r1, %r0; mov.u32 %r2, %r0; mov.u32 %r3, %r0;
  {}
  ret;
}})",
                                         handle, x, data, instruction);
    try {
      device.launch(device.function(device.load_module({{"surface", text}}, {}), "k"), {}, {});
      return "";
    } catch (const device::Failed& failure) {
      return failure.what();
    }
  }
  template <class T>
  T element(std::size_t i) const {
    T value;
    std::memcpy(&value, array->data() + i * sizeof(T), sizeof(T));
    return value;
  }

  device::Device device{{}};
  std::shared_ptr<memory::Array> array;
};

memory::ArrayShape line(memory::ChannelFormat format, unsigned channels) {
  return {16, 0, 0, format, channels};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("outside: trap fails, clamp goes to the nearest texel, zero drops") {
  const auto words = line(memory::ChannelFormat::u32, 1);
  for (const char* const instruction :
       {"suld.b.1d.b32.trap {%r0}, [%s, {%x}];", "sust.b.1d.b32.trap [%s, {%x}], %r0;",
        "sust.p.1d.b32.trap [%s, {%x}], %r0;", "sured.b.add.1d.u32.trap [%s, {%x}], %r0;",
        "sured.p.max.1d.b32.trap [%s, {%x}], %r0;"})
    for (const int x : {64, -4}) {
      CAPTURE(instruction);
      CHECK(contains(Surface(words).run(instruction, x), "a coordinate outside the surface"));
    }
  Surface surface(words);
  CHECK(surface.run("sust.b.1d.b32.clamp [%s, {%x}], %r0;", 4000, 5).empty());
  CHECK(surface.run("sust.b.1d.b32.zero [%s, {%x}], {%r0};", -4, 6).empty());
  CHECK(surface.element<std::uint32_t>(15) == 5);
  CHECK(surface.element<std::uint32_t>(0) == 0);
}

TEST_CASE("an access that is not at a multiple of its size fails") {
  const auto words = line(memory::ChannelFormat::u32, 1);
  for (const char* const instruction :
       {"suld.b.1d.b32.clamp %r0, [%s, {%x}];", "sust.b.1d.b32.zero [%s, {%x}], %r0;",
        "sust.b.1d.v2.b32.trap [%s, {%x}], {%r0, %r1};"})
    for (const int x : {9, -3, 6}) {
      CAPTURE(instruction);
      CHECK(contains(Surface(words).run(instruction, x), "misaligned access"));
    }
}

TEST_CASE("formatted stores go to the nearest number of the format; halves are truncated") {
  Surface bytes(line(memory::ChannelFormat::s8, 4));
  CHECK(bytes.run("sust.p.1d.v2.b32.trap [%s, {%x}], {%r0, %r1};", 1, 0xffffff00u).empty());
  CHECK(bytes.element<std::int8_t>(4) == -128);
  CHECK(bytes.element<std::int8_t>(5) == -128);
  CHECK(bytes.element<std::int8_t>(6) == 0);
  Surface halves(line(memory::ChannelFormat::f16, 1));
  CHECK(halves.run("sust.p.1d.b32.trap [%s, {%x}], %r0;", 3, 0x3f801fffu).empty());  // 1.00097...
  CHECK(halves.run("sust.p.1d.b32.trap [%s, {%x}], %r0;", 4, 0x7f7fffffu).empty());
  CHECK(halves.run("sust.p.1d.b32.trap [%s, {%x}], %r0;", 5, 0xff812345u).empty());
  CHECK(halves.element<std::uint16_t>(3) == 0x3c00);
  CHECK(halves.element<std::uint16_t>(4) == 0x7bff);
  CHECK(halves.element<std::uint16_t>(5) == 0xfc09);
}

TEST_CASE("formatted reductions take the sign from the format") {
  Surface with(line(memory::ChannelFormat::s32, 1)), without(line(memory::ChannelFormat::u32, 1));
  for (Surface* surface : {&with, &without})
    CHECK(surface->run("sured.p.max.1d.b32.trap [%s, {%x}], %r0;", 2, 0xfffffff0u).empty());
  CHECK(with.element<std::uint32_t>(2) == 0);
  CHECK(without.element<std::uint32_t>(2) == 0xfffffff0u);
}
