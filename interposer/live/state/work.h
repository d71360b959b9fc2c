// What a stream is given to do, at once or as a node of a graph.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "cuda_abi.h"
#include "emulator/device/device.h"

namespace wedjat::live {

struct Kernel {
  CUfunction function = nullptr;
  device::LaunchConfig config;
  std::vector<std::byte> parameters;  // packed
  std::map<int, CUlaunchAttributeValue> attributes;
  // What cuGraphKernelNodeGetParams shows; valid as long as the node.
  mutable std::vector<void*> pointers;
};

struct Event {
  CUevent event = nullptr;
  bool waits = false;
};

struct Child {
  CUgraph graph = nullptr;  // of the node alone
};

struct Condition;

struct Conditional {
  std::shared_ptr<Condition> condition;
  CUgraphConditionalNodeType type{};
  std::vector<CUgraph> bodies;  // of the node alone
};

// Memory of a graph lies where it lies from when the node is made until the graph is destroyed.
struct Allocating {
  CUDA_MEM_ALLOC_NODE_PARAMS parameters;
};
struct Freeing {
  CUdeviceptr address = 0;
};

struct MemoryOperations {
  std::vector<CUstreamBatchMemOpParams> list;
};

struct Nothing {};

using Work = std::variant<Nothing, Kernel, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUDA_HOST_NODE_PARAMS,
                          Event, Child, Conditional, Allocating, Freeing, MemoryOperations>;

CUgraphNodeType type_of(const Work& work);

// Does it, now. Of a child graph: all its nodes.
void carry_out(const Work& work);

// In the stream: now, or as a node of the graph that it captures into. True if it was captured.
bool give(CUstream stream, Work work);

}  // namespace wedjat::live
