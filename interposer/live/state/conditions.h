// What a conditional node of a graph looks at: a word in memory of the device. Its address is the handle that
// kernels get, and where cudaGraphSetConditional writes (interposer/images/device_runtime.ptx).
#pragma once

#include "interposer/live/state/memory.h"

namespace wedjat::live {

class Condition {
 public:
  // `of`: the graph that has a node of it, itself or in graphs that belong to its nodes.
  Condition(CUctx_st& context, CUgraph of, unsigned at_first, bool begins_anew);
  ~Condition();
  Condition(const Condition&) = delete;

  CUgraphConditionalHandle handle() const { return address_; }
  CUcontext context() const { return context_; }
  unsigned value() const;
  // Of a launch of the graph.
  void begin() const;

  CUgraph graph;
  bool is_used = false;  // by a node

 private:
  CUcontext context_;
  std::uint64_t address_, allocation_;
  unsigned at_first_;
  bool begins_anew_;
};

}  // namespace wedjat::live
