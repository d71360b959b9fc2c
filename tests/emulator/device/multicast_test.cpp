// multimem instructions over memory of a team of three, against sums made by hand.
#include <doctest/doctest.h>

#include <cstring>

#include "emulator/device/device.h"
#include "emulator/device/error.h"
#include "emulator/memory/device_memory.h"

using namespace wedjat;

namespace {

constexpr std::uint64_t team[] = {0x7f0000000000, 0x7f0000100000, 0x7f0000200000};
constexpr std::uint64_t everywhere = 0x7e0000000000, results = 0x7f0000300000;
constexpr std::uint32_t size = 4096;

// A device with the team's memory: element i of place p is f(p, i).
struct Team {
  device::Device device{device::DeviceOptions{}};

  template <class T, class F>
  Team(const T*, F f) {
    for (unsigned p = 0; p < 3; ++p) {
      device.allocate_at(team[p], size, "place");
      std::vector<T> values(size / sizeof(T));
      for (unsigned i = 0; i < values.size(); ++i) values[i] = f(p, i);
      device.write(team[p], std::as_bytes(std::span(values)));
    }
    device.allocate_at(results, size, "results");
    device.multicast().bind(everywhere, {size, {team[0], team[1], team[2]}});
  }

  // A kernel of 32 threads; %a: its element's address, of `bytes`, everywhere; %r: the same among the
  // results.
  void run(const std::string& body, unsigned bytes) {
    const std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 all, .param .u64 out) "
        "{\n"
        "  .reg .b16 %h<4>; .reg .b32 %x<8>; .reg .b64 %a, %r, %l<4>; .reg .f32 %f<4>;\n"
        "  ld.param.u64 %a, [all]; ld.param.u64 %r, [out]; mov.u32 %x0, %tid.x;\n"
        "  mad.wide.u32 %a, %x0, " +
        std::to_string(bytes) + ", %a; mad.wide.u32 %r, %x0, " + std::to_string(bytes) + ", %r;\n" + body +
        "\n  ret;\n}\n";
    device::Module* const module = device.load_module({{"k.ptx", text}}, {});
    const std::uint64_t addresses[] = {everywhere, results};
    device::LaunchConfig config;
    config.block[0] = 32;
    device.launch(device.function(module, "k"), config, std::as_bytes(std::span(addresses)));
  }

  template <class T>
  T at(std::uint64_t address, unsigned i) {
    T value;
    device.read(address + i * sizeof(T), std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
};

}  // namespace

TEST_CASE("ld_reduce reads every place") {
  Team team_of_numbers(static_cast<std::uint32_t*>(nullptr),
                       [](unsigned p, unsigned i) { return 100 * p + i; });
  team_of_numbers.run("multimem.ld_reduce.relaxed.sys.global.add.u32 %x1, [%a]; st.global.u32 [%r], %x1;", 4);
  for (unsigned i = 0; i < 32; ++i) CHECK(team_of_numbers.at<std::uint32_t>(results, i) == 300 + 3 * i);
  team_of_numbers.run("multimem.ld_reduce.weak.max.u32 %x1, [%a]; st.global.u32 [%r], %x1;", 4);
  for (unsigned i = 0; i < 32; ++i) CHECK(team_of_numbers.at<std::uint32_t>(results, i) == 200 + i);
}

TEST_CASE("ld_reduce of a vector of floats adds element by element") {
  Team floats(static_cast<float*>(nullptr),
              [](unsigned p, unsigned i) { return 0.5f * static_cast<float>(p) + static_cast<float>(i); });
  floats.run("multimem.ld_reduce.global.add.v2.f32 {%f0, %f1}, [%a]; st.global.v2.f32 [%r], {%f0, %f1};", 8);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(floats.at<float>(results, i) == 1.5f + 3.0f * static_cast<float>(i));
}

TEST_CASE("halves of a pair do not carry into each other") {
  // 1.0 and 2.0 as f16, everywhere.
  Team pairs(static_cast<std::uint32_t*>(nullptr), [](unsigned, unsigned) { return 0x40003c00u; });
  pairs.run("multimem.ld_reduce.add.acc::f32.f16x2 %x1, [%a]; st.global.u32 [%r], %x1;", 4);
  CHECK(pairs.at<std::uint32_t>(results, 7) == 0x46004200u);  // 6.0 and 3.0
}

TEST_CASE("st and red change every place") {
  Team numbers(static_cast<std::uint32_t*>(nullptr), [](unsigned p, unsigned i) { return 1000 * p + i; });
  numbers.run("multimem.red.release.gpu.global.add.u32 [%a], 5;", 4);
  for (unsigned p = 0; p < 3; ++p)
    for (unsigned i = 0; i < 32; ++i) CHECK(numbers.at<std::uint32_t>(team[p], i) == 1000 * p + i + 5);
  numbers.run("multimem.st.weak.u32 [%a], %x0;", 4);
  for (unsigned p = 0; p < 3; ++p) CHECK(numbers.at<std::uint32_t>(team[p], 31) == 31);
  CHECK(numbers.at<std::uint32_t>(team[2], 32) == 2032);
}

TEST_CASE("threads that reduce into one place do it one after the other") {
  Team numbers(static_cast<std::uint64_t*>(nullptr), [](unsigned, unsigned) { return std::uint64_t{0}; });
  numbers.run("mul.wide.u32 %l0, %x0, 8; sub.u64 %a, %a, %l0; multimem.red.add.u64 [%a], 3;", 8);
  for (unsigned p = 0; p < 3; ++p) CHECK(numbers.at<std::uint64_t>(team[p], 0) == 96);
}

TEST_CASE("only multimem may use the address, and multimem no other") {
  const auto error = [](const std::string& body) {
    Team numbers(static_cast<std::uint32_t*>(nullptr), [](unsigned, unsigned i) { return i; });
    try {
      numbers.run(body, 4);
    } catch (const device::Failed& failed) {
      return std::string(failed.what());
    }
    return std::string("none");
  };
  CHECK(error("ld.global.u32 %x1, [%a];").find("out of bounds: 4 bytes at global address 0x7e0000000000") !=
        std::string::npos);
  CHECK(error("multimem.st.u32 [%r], 1;").find("multimem at 0x7f0000300000, which is no multicast address") !=
        std::string::npos);
  CHECK(error("add.u64 %a, %a, 1; multimem.st.u32 [%a], 1;").find("misaligned address") != std::string::npos);
  CHECK(error("add.u64 %a, %a, 4096; multimem.st.u32 [%a], 1;").find("no multicast address") !=
        std::string::npos);
}

TEST_CASE("ranges are whole and apart") {
  memory::MulticastTable table;
  table.bind(0x1000, {0x100, {0x10, 0x20}});
  const memory::MulticastTable::Places places = table.places(0x1008);
  CHECK(std::vector(places.first.begin(), places.first.end()) == std::vector<std::uint64_t>{0x10, 0x20});
  CHECK(places.offset == 8);
  CHECK(table.places(0x1100).first.empty());
  CHECK_THROWS_AS(table.bind(0x10ff, {1, {0x10}}), memory::Error);
  CHECK_THROWS_AS(table.bind(0xff0, {0x20, {0x10}}), memory::Error);
  CHECK_THROWS_AS(table.bind(0x2000, {0, {0x10}}), memory::Error);
  CHECK_THROWS_AS(table.bind(0x2000, {16, {}}), memory::Error);
  table.unbind(0x1000);
  CHECK(table.places(0x1008).first.empty());
}
