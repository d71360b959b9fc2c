// The parameters of graph nodes as work.
#pragma once

#include "interposer/live/work/kernels.h"

namespace wedjat::live {

// Kernels of the first version of the struct: no CUkernel, no context.
CUDA_KERNEL_NODE_PARAMS newer(const CUDA_KERNEL_NODE_PARAMS_v1& kernel);

Kernel work_of(const CUDA_KERNEL_NODE_PARAMS& kernel);
CUDA_MEMSET_NODE_PARAMS work_of(const CUDA_MEMSET_NODE_PARAMS& set);
CUDA_MEMCPY3D work_of(const CUDA_MEMCPY3D& copy);
CUDA_HOST_NODE_PARAMS work_of(const CUDA_HOST_NODE_PARAMS& host);
MemoryOperations work_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& operations);
// Of any kind; the address of an allocation is written into it.
Work work_of(CUgraphNodeParams& node);
Child child_of(CUgraph graph);
Allocating allocation_of(CUDA_MEM_ALLOC_NODE_PARAMS& parameters);
Freeing freeing_of(CUdeviceptr address);

// The parameters of a node, of the kind that `T` is; fails with CUDA_ERROR_INVALID_VALUE if it is of another.
template <class T>
T& part_of(Work& work) {
  T* const part = std::get_if<T>(&work);
  if (part == nullptr) fail(CUDA_ERROR_INVALID_VALUE);
  return *part;
}

// New parameters for a node: of the same kind, and a kernel keeps its attributes.
void replace(Work& work, Work with);

}  // namespace wedjat::live
