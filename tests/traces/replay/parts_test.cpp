// The parts of a replay by themselves: the order of graph nodes, memory that is mapped again, memory of both
// sides.
#include <doctest/doctest.h>

#include "traces/replay/graphs.h"
#include "traces/replay/host_memory.h"
#include "traces/replay/virtual_memory.h"

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
  memory.given(base + 8, 8);                        // the target of a copy
  memory.someone_wrote(base, filled(32, 3), true);  // seen by a wait
  CHECK(read(device, base, 8) == filled(8, 3));
  CHECK(read(device, base + 8, 8) == filled(8, 0));  // not taken over: to be compared
  CHECK(read(device, base + 16, 16) == filled(16, 3));
  REQUIRE(memory.difference(range));
  device.write(base + 8, filled(8, 3));
  CHECK(!memory.difference(range));
  device.write(base + 40, filled(1, 1));  // nobody told this byte
  CHECK(memory.difference(range));
}
