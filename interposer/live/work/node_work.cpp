#include "interposer/live/work/node_work.h"

#include <cstring>

#include "interposer/live/work/copies.h"
#include "interposer/meaning/launches.h"

namespace wedjat::live {

CUDA_KERNEL_NODE_PARAMS newer(const CUDA_KERNEL_NODE_PARAMS_v1& kernel) {
  CUDA_KERNEL_NODE_PARAMS same{};
  std::memcpy(&same, &kernel, sizeof kernel);  // it begins alike
  return same;
}

Kernel work_of(const CUDA_KERNEL_NODE_PARAMS& kernel) {
  const CUfunction handle = kernel.func ? kernel.func : reinterpret_cast<CUfunction>(kernel.kern);
  CUfunc_st& function = function_at(handle);
  const std::uint64_t threads = std::uint64_t{kernel.blockDimX} * kernel.blockDimY * kernel.blockDimZ;
  const std::uint64_t ctas = std::uint64_t{kernel.gridDimX} * kernel.gridDimY * kernel.gridDimZ;
  require(ctas != 0 && threads != 0 && threads <= needs_of(function).most_threads);
  check_shared(function, kernel.sharedMemBytes);
  const auto packed = packed_parameters(function, kernel.kernelParams, kernel.extra);
  return {&function, interposer::launch_config(kernel), {packed.begin(), packed.end()}, {}, {}};
}

CUDA_MEMSET_NODE_PARAMS work_of(const CUDA_MEMSET_NODE_PARAMS& set) {
  require(set.elementSize == 1 || set.elementSize == 2 || set.elementSize == 4);
  check_fill(set.dst, set.pitch, set.elementSize, set.width, set.height);
  return set;
}

CUDA_MEMCPY3D work_of(const CUDA_MEMCPY3D& copy) {
  check(interposer::box_of(copy));
  return copy;
}

CUDA_HOST_NODE_PARAMS work_of(const CUDA_HOST_NODE_PARAMS& host) {
  require(host.fn != nullptr);
  return host;
}

MemoryOperations work_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& operations) {
  require(operations.count == 0 || operations.paramArray != nullptr);
  return {{operations.paramArray, operations.paramArray + operations.count}};
}

Child child_of(CUgraph handle) {
  const CUgraph_st& graph = driver().graphs.at(handle, CUDA_ERROR_INVALID_VALUE);
  require(!has_conditions(graph), CUDA_ERROR_NOT_SUPPORTED);
  return {&copy_of(graph)};
}

Allocating allocation_of(CUDA_MEM_ALLOC_NODE_PARAMS& parameters) {
  require(parameters.bytesize != 0);
  Allocation& made =
      driver().memory.allocate(context(), parameters.bytesize, MemoryKind::device, "memory of a graph");
  made.of_graph = true;
  parameters.dptr = made.address;
  return {parameters};
}

Freeing freeing_of(CUdeviceptr address) {
  require(driver().memory.starting(address) != nullptr);
  return {address};
}

Work work_of(CUgraphNodeParams& node) {
  switch (node.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      CUDA_KERNEL_NODE_PARAMS kernel{};
      std::memcpy(&kernel, &node.kernel, sizeof kernel);  // the same but for its name
      return work_of(kernel);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return work_of(node.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return work_of(CUDA_MEMSET_NODE_PARAMS{node.memset.dst, node.memset.pitch, node.memset.value,
                                             node.memset.elementSize, node.memset.width, node.memset.height});
    case CU_GRAPH_NODE_TYPE_HOST:
      return work_of(CUDA_HOST_NODE_PARAMS{node.host.fn, node.host.userData});
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return child_of(node.graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return Nothing{};
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return Event{node.eventWait.event, true};
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return Event{node.eventRecord.event, false};
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return freeing_of(node.free.dptr);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
      CUDA_MEM_ALLOC_NODE_PARAMS memory{};
      static_assert(sizeof memory == sizeof node.alloc);
      std::memcpy(&memory, &node.alloc, sizeof memory);
      const Allocating made = allocation_of(memory);
      node.alloc.dptr = memory.dptr;
      return made;
    }
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      fail(CUDA_ERROR_NOT_SUPPORTED);  // of a node that there is already
    default:
      fail(CUDA_ERROR_NOT_SUPPORTED, "graph nodes of CUgraphNodeType " + std::to_string(node.type));
  }
}

void replace(Work& work, Work with) {
  require(work.index() == with.index());
  if (Kernel* const kernel = std::get_if<Kernel>(&with))
    kernel->attributes = std::get<Kernel>(work).attributes;
  if (Kernel* const kernel = std::get_if<Kernel>(&with))
    for (const auto& [id, value] : kernel->attributes)
      interposer::set_attribute(kernel->config, static_cast<CUlaunchAttributeID>(id), value);
  work = std::move(with);
}

}  // namespace wedjat::live
