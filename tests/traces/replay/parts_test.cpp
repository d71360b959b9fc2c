// The parts of a replay by themselves: the order of graph nodes, memory that is mapped again, memory of both
// sides.
#include <doctest/doctest.h>

#include "traces/replay/state/graphs.h"
#include "traces/replay/state/host_memory.h"
#include "traces/replay/state/multicast_objects.h"
#include "traces/replay/state/virtual_memory.h"

using namespace wedjat;
using namespace wedjat::traces;

namespace {

constexpr std::uint64_t base = 0x7f0000000000u;

GraphNode node(std::uint64_t handle, std::vector<std::uint64_t> after) {
  GraphNode result;
  result.handle = handle;
  result.after = std::move(after);
  return result;
}

std::vector<std::uint64_t> order_of(const Graph& graph) {
  std::vector<std::uint64_t> handles;
  for (const GraphNode* each : graph.in_order()) handles.push_back(each->handle);
  return handles;
}

Bytes read(device::Device& device, std::uint64_t address, std::size_t size) {
  Bytes bytes(size);
  device.read(address, bytes);
  return bytes;
}

Bytes filled(std::size_t size, int value) { return Bytes(size, static_cast<std::byte>(value)); }

}  // namespace

TEST_CASE("a graph node runs after those it depends on, else in the order of their making") {
  Graph graph;
  graph.nodes = {node(1, {}), node(2, {4}), node(3, {1}), node(4, {3}), node(5, {})};
  CHECK(order_of(graph) == std::vector<std::uint64_t>{1, 3, 4, 5, 2});
  graph.nodes = {node(1, {}), node(0, {}), node(7, {99})};  // 99: a captured node, which has no handle
  CHECK(order_of(graph) == std::vector<std::uint64_t>{1, 0, 7});
}

TEST_CASE("nodes that depend on each other in a circle have no order") {
  Graph graph;
  graph.nodes = {node(1, {2}), node(2, {1}), node(3, {})};
  CHECK(graph.in_order().size() < graph.nodes.size());
}

TEST_CASE("physical memory keeps its contents while it is mapped nowhere") {
  device::Device device({});
  VirtualMemory memory(device);
  memory.create(9, 8192);
  CHECK(memory.map(base, 4096, 9, 4096, "first") == "");
  device.write(base, filled(4096, 5));
  CHECK(memory.map(base + 8192, 4096, 9, 4096, "again").find("mapped at") != std::string::npos);
  memory.unmap(base, 4096);
  CHECK(!device.is_allocated(base));
  CHECK(memory.map(base + 65536, 8192, 9, 0, "whole") == "");
  CHECK(read(device, base + 65536, 4096) == filled(4096, 0));
  CHECK(read(device, base + 65536 + 4096, 4096) == filled(4096, 5));
  CHECK(memory.map(base, 4096, 10, 0, "unknown").find("nothing was recorded") != std::string::npos);
}

TEST_CASE("multicast memory stands for what is bound to it, wherever that is mapped") {
  device::Device device({});
  VirtualMemory memory(device);
  MulticastObjects objects(device, memory);
  const auto place_of = [&](std::uint64_t address) -> std::uint64_t {
    const auto places = device.multicast().places(address);
    return places.first.empty() ? 0 : places.first[0] + places.offset;
  };
  memory.create(9, 8192);
  device.allocate_at(base + 65536, 4096, "by address");
  objects.create(20, 16384);
  CHECK(objects.bind_memory(20, 0, 9, 4096, 4096) == "");
  CHECK(objects.bind_address(20, 8192, base + 65536, 4096) == "");
  constexpr std::uint64_t everywhere = 0x7e0000000000u;
  objects.map(everywhere, 12288, 20, 0);
  CHECK(place_of(everywhere + 8) == 0);  // the memory is mapped nowhere
  CHECK(memory.map(base, 8192, 9, 0, "whole") == "");
  objects.refresh();
  CHECK(place_of(everywhere + 8) == base + 4096 + 8);
  CHECK(place_of(everywhere + 4096) == 0);  // nothing is bound there
  CHECK(place_of(everywhere + 8192 + 4) == base + 65536 + 4);
  objects.unbind(20, 8192, 4096);
  CHECK(place_of(everywhere + 8192) == 0);
  objects.release(20);
  CHECK(place_of(everywhere) == base + 4096);  // as long as it is mapped
  objects.unmap(everywhere, 12288);
  CHECK(place_of(everywhere) == 0);
  CHECK(objects.bind_address(20, 0, base, 16).find("nothing was recorded") != std::string::npos);
  objects.create(21, 4096);
  CHECK(objects.bind_address(21, 4000, base, 4096) == "4096 bytes at 4000 of a multicast object of 4096");
}

TEST_CASE("a copy may cross two mappings without a gap") {
  device::Device device({});
  device.allocate_at(base, 4096, "low");
  device.allocate_at(base + 4096, 4096, "high");
  device.write(base + 4000, filled(200, 7));
  CHECK(read(device, base + 4000, 200) == filled(200, 7));
}

TEST_CASE("a byte that changed while the device worked is its own where it was given to change") {
  device::Device device({});
  device.allocate_at(base, 64, "shared");
  HostMemory memory(device);
  HostRange& range = memory.begin(base, base, 64);
  memory.given(base + 8, 8);  // the target of a copy
  memory.someone_wrote(base, filled(32, 3), HostMemory::Seen::by_wait);
  CHECK(read(device, base, 8) == filled(8, 3));
  CHECK(read(device, base + 8, 8) == filled(8, 0));  // not taken over: to be compared
  CHECK(read(device, base + 16, 16) == filled(16, 3));
  REQUIRE(memory.difference(range));
  device.write(base + 8, filled(8, 3));
  CHECK(!memory.difference(range));
  device.write(base + 40, filled(1, 1));  // nobody recorded this byte
  CHECK(memory.difference(range));
}

TEST_CASE("what was seen to have changed after a wait is the host's where the device was not given it") {
  device::Device device({});
  device.allocate_at(base, 64, "pinned");
  device.allocate_at(base + 64, 64, "managed");
  HostMemory memory(device);
  HostRange& pinned = memory.begin(base, base, 64);
  memory.begin(base + 64, base + 64, 64).managed = true;
  memory.given(base, 8);  // the target of a copy, which the program has not waited for
  memory.someone_wrote(base, filled(32, 3), HostMemory::Seen::after_wait);
  memory.someone_wrote(base + 64, filled(8, 3), HostMemory::Seen::after_wait);
  CHECK(read(device, base, 8) == filled(8, 0));
  CHECK(read(device, base + 8, 24) == filled(24, 3));
  CHECK(read(device, base + 64, 8) == filled(8, 0));  // perhaps of a variable that a kernel changes
  CHECK(pinned.uncompared.size() == 1);
  memory.taken(base, 8);  // now it has, and the host writes there
  memory.recorded(base, filled(8, 0));
  memory.someone_wrote(base, filled(8, 4), HostMemory::Seen::after_wait);
  CHECK(read(device, base, 8) == filled(8, 4));
}
