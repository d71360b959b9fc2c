#include "traces/replay/state/parameter_layout.h"

#include <doctest/doctest.h>

using namespace wedjat;
using traces::as_declared;
using traces::Bytes;
using traces::DriverLayout;

namespace {

Bytes counted(std::size_t bytes) {
  Bytes all(bytes);
  for (std::size_t i = 0; i < bytes; ++i) all[i] = static_cast<std::byte>(i % 251);
  return all;
}

// A tensor map aligned to 128 bytes before two numbers, as driver 580 lays it out: 112 is what lacks to a
// multiple.
const DriverLayout driver{{112, 240, 244}, {128, 4, 4}};
const std::vector<device::ParameterSlot> declared{{0, 128}, {128, 4}, {132, 4}};

}  // namespace

TEST_CASE("gaps of the driver's that PTX does not declare are left out") {
  const Bytes packed = counted(248);
  const Bytes ours = as_declared(packed, driver, declared);
  REQUIRE(ours.size() == 136);
  CHECK(std::equal(ours.begin(), ours.end(), packed.begin() + 112));
}

TEST_CASE("gaps that PTX declares are made") {
  const Bytes packed = counted(240);
  const Bytes ours =
      as_declared(packed, {{0, 112}, {4, 128}}, std::vector<device::ParameterSlot>{{0, 4}, {128, 128}});
  REQUIRE(ours.size() == 256);
  CHECK(std::equal(packed.begin(), packed.begin() + 4, ours.begin()));
  CHECK(std::equal(packed.begin() + 112, packed.end(), ours.begin() + 128));
}

TEST_CASE("what does not fit is left for the launch to refuse") {
  CHECK(as_declared(counted(100), driver, declared) == counted(100));
  CHECK(as_declared(counted(136), {}, declared) == counted(136));
  CHECK(as_declared(counted(8), {{~0ull - 3, 4}, {4, 4}},
                    std::vector<device::ParameterSlot>{{0, 4}, {4, 4}}) == counted(8));
}
