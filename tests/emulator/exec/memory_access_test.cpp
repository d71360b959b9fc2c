// Every fast path of loads, stores and updates against one lane after the other.
#include "emulator/exec/access/memory_access.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>

using namespace wedjat;
using exec::lanes;
using kernel::Space;

namespace {

constexpr std::uint64_t base = 0x7f0000000000;
constexpr std::uint64_t bytes = 4096;

// A memory of 4096 bytes in each space: device, shared, and local for each lane.
struct Bench {
  memory::DeviceMemory device;
  memory::HostPages shared{bytes}, local{bytes * lanes};
  exec::MemoryPort port;
  exec::WarpContext warp;
  kernel::Step step{};
  std::mt19937 random{7};

  Bench() {
    device.allocate_at(base, bytes, "bench");
    port.device = &device;
    port.cache.resize(1);
    port.shared = shared.data();
    port.shared_bytes = bytes;
    port.local = local.data();
    port.local_stride = port.local_bytes = bytes;
    warp.memory = &port;
  }

  std::byte* host(Space space, std::uint64_t address, int lane) {
    if (space == Space::Shared) return shared.data() + address;
    if (space == Space::Local) return local.data() + static_cast<std::uint64_t>(lane) * bytes + address;
    if (memory::local_window.contains(address))
      return host(Space::Local, address - memory::local_window.base, lane);
    if (memory::shared_window.contains(address))
      return host(Space::Shared, address - memory::shared_window.base, lane);
    return device.host(address, 1, "test");
  }

  // Addresses of one of the shapes that the fast paths look for, aligned to `size` and inside the memory.
  void addresses(Space space, unsigned size, unsigned shape, std::uint64_t* address) {
    const std::uint64_t slots = bytes / size;
    const std::uint64_t start = random() % (slots - 64), other = random() % (slots - 64);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      std::uint64_t slot = 0;
      switch (shape) {
        case 0:
          slot = start + lane;
          break;
        case 1:
          slot = start;
          break;
        case 2:
          slot = lane < 16 ? start : other;
          break;
        case 3:
          slot = lane < 16 ? start + lane : other + lane - 16;
          break;
        case 4:
          slot = lane < 16 ? start : other + lane;
          break;
        case 5:
          slot = start + lane / 8;
          break;
        case 9:
          slot = start + 8 * (lane / 8 % 2) + lane % 8;
          break;
        case 10:
          slot = lane / 8 % 2 ? start : other + lane;
          break;
        case 6:
          slot = start + 31 - lane;
          break;
        default:
          slot = random() % slots;
      }
      address[lane] = slot * size;
      if (space == Space::Global) address[lane] += base;
      if (space == Space::Generic) {
        const std::uint64_t mixed = shape == 8 ? random() % 3 : shape % 3;
        address[lane] += mixed == 0   ? base
                         : mixed == 1 ? memory::shared_window.base
                                      : memory::local_window.base;
      }
    }
  }

  void fill() {
    for (std::uint64_t i = 0; i < bytes; ++i)
      shared.data()[i] = device.host(base, bytes, "test")[i] = static_cast<std::byte>(random());
    for (std::uint64_t i = 0; i < bytes * lanes; ++i) local.data()[i] = static_cast<std::byte>(random());
  }

  template <class T, Space space, int count>
  bool agrees(unsigned shape, std::uint32_t mask) {
    alignas(64) std::uint64_t address[lanes];
    addresses(space, sizeof(T) * count, shape, address);
    alignas(64) T got[count][lanes], put[count][lanes];
    T* to[count];
    const T* from[count];
    for (int e = 0; e < count; ++e) {
      to[e] = got[e];
      from[e] = put[e];
      for (int lane = 0; lane < lanes; ++lane) put[e][lane] = static_cast<T>(random());
    }
    exec::read_vectors<T, space, count>(warp, step, mask, address, to);
    auto same = [&](const T(&value)[count][lanes], std::uint32_t checked) {
      for (int lane = 0; lane < lanes; ++lane)
        for (int e = 0; e < count; ++e)
          if ((checked >> lane & 1) &&
              std::memcmp(&value[e][lane], host(space, address[lane], lane) + e * sizeof(T), sizeof(T)) != 0)
            return false;
      return true;
    };
    if (!same(got, mask)) return false;
    const auto before = std::vector<std::byte>(host(space, address[0] / bytes * bytes, 0),
                                               host(space, address[0] / bytes * bytes, 0) + bytes);
    exec::write_vectors<T, space, count>(warp, step, mask, address, from);
    // Lanes go together in groups of 128 bytes, at least of 32 bits each: of a group the lowest with the same
    // place wins, of groups the last; bytes no lane of the mask names keep their value.
    constexpr int group = sizeof(T) * count <= 4 ? lanes : 128 / static_cast<int>(sizeof(T) * count);
    std::uint32_t winners = mask;
    for (int lane = 0; lane < lanes; ++lane)
      for (int later = lane + 1; later < lanes; ++later)
        if ((mask >> lane & 1) && (mask >> later & 1) &&
            host(space, address[lane], lane) == host(space, address[later], later))
          winners &= ~(1u << (lane / group == later / group ? later : lane));
    if (!same(put, winners)) return false;
    for (std::uint64_t i = 0; i < bytes; ++i) {
      const std::byte* at = host(space, address[0] / bytes * bytes, 0) + i;
      bool named = false;
      for (int lane = 0; lane < lanes; ++lane)
        if (mask >> lane & 1)
          named |= at >= host(space, address[lane], lane) &&
                   at < host(space, address[lane], lane) + sizeof(T) * count;
      if (!named && *at != before[i]) return false;
    }
    return true;
  }

  template <class T, Space space, int count>
  void all_shapes() {
    fill();
    for (unsigned shape = 0; shape < 11; ++shape)
      for (std::uint32_t mask : {0xffffffffu, 0x0f0f3333u, 0x80000000u, 0xffff0000u, 0x00000001u,
                                 static_cast<std::uint32_t>(random())})
        for (int repeat = 0; repeat < 4; ++repeat) {
          CAPTURE(shape);
          CAPTURE(mask);
          CHECK(agrees<T, space, count>(shape, mask));
        }
  }
};

}  // namespace

TEST_CASE_TEMPLATE("loads and stores of every width, shape and mask", T, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, unsigned __int128) {
  Bench bench;
  bench.all_shapes<T, Space::Global, 1>();
  bench.all_shapes<T, Space::Shared, 1>();
  bench.all_shapes<T, Space::Local, 1>();
  bench.all_shapes<T, Space::Generic, 1>();
}

TEST_CASE("vector loads and stores") {
  Bench bench;
  bench.all_shapes<std::uint32_t, Space::Global, 4>();
  bench.all_shapes<std::uint32_t, Space::Shared, 2>();
  bench.all_shapes<std::uint64_t, Space::Local, 2>();
  bench.all_shapes<std::uint8_t, Space::Generic, 4>();
}

TEST_CASE_TEMPLATE("updates go lane after lane, alone and among other threads", T, std::uint16_t,
                   std::uint32_t, std::uint64_t, unsigned __int128) {
  Bench bench;
  bench.fill();
  for (bool concurrent : {false, true})
    for (unsigned shape = 0; shape < 11; ++shape)
      for (std::uint32_t mask : {0xffffffffu, 0x0f0f3333u}) {
        bench.port.concurrent = concurrent;
        alignas(64) std::uint64_t address[lanes];
        bench.addresses(Space::Global, sizeof(T), shape, address);
        std::vector<std::byte> image(bench.device.host(base, bytes, "test"),
                                     bench.device.host(base, bytes, "test") + bytes);
        T old[lanes] = {};
        const auto change = [](int lane, T before) {
          return static_cast<T>(before * 3 + static_cast<T>(lane));
        };
        exec::update_lanes<T, Space::Global>(bench.warp, bench.step, mask, address, old, change);
        bool right = true;
        for (int lane = 0; lane < lanes; ++lane) {
          if (!(mask >> lane & 1)) continue;
          T value;
          std::memcpy(&value, image.data() + (address[lane] - base), sizeof(T));
          right &= old[lane] == value;
          value = change(lane, value);
          std::memcpy(image.data() + (address[lane] - base), &value, sizeof(T));
        }
        CHECK(right);
        CHECK(std::memcmp(image.data(), bench.device.host(base, bytes, "test"), bytes) == 0);
      }
}
