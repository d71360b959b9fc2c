#include "interposer/live/state/work.h"

#include <fmt/format.h>

#include <cstring>

#include "interposer/live/state/perform.h"
#include "interposer/live/work/copies.h"
#include "interposer/live/work/kernels.h"
#include "interposer/meaning/words.h"

namespace wedjat::live {
namespace {

struct Word {
  std::uint64_t address, value;
  std::size_t bytes;
  unsigned flags;
};

template <class Part>
Word word_of(const Part& part, std::size_t bytes) {
  return {part.address, bytes == 4 ? part.value : part.value64, bytes, part.flags};
}

void write(const Word& word) {
  require(word.address % word.bytes == 0);
  copy({word.address, Owner::device}, {reinterpret_cast<std::uint64_t>(&word.value), Owner::host},
       word.bytes);
}

// What is asked for is done at once: nobody can write the value later.
void wait(const Word& word) {
  require(word.address % word.bytes == 0);
  std::uint64_t now = 0;
  copy({reinterpret_cast<std::uint64_t>(&now), Owner::host}, {word.address, Owner::device}, word.bytes);
  if (!interposer::holds(now, word.value, word.bytes, word.flags))
    fail(
        CUDA_ERROR_NOT_SUPPORTED,
        fmt::format(
            "the stream waits for a value at {:#x} that nobody wrote yet; here work is done when it is given",
            word.address));
}

struct Doer {
  void operator()(const Nothing&) const {}
  void operator()(const Kernel& kernel) const {
    device::LaunchConfig config = kernel.config;
    launch(function_at(kernel.function), config, kernel.parameters);
  }
  void operator()(const CUDA_MEMCPY3D& box) const { copy(interposer::box_of(box)); }
  void operator()(const CUDA_MEMSET_NODE_PARAMS& set) const {
    require(set.elementSize == 1 || set.elementSize == 2 || set.elementSize == 4);
    fill(set.dst, set.pitch, set.value, set.elementSize, set.width, set.height);
  }
  void operator()(const CUDA_HOST_NODE_PARAMS& host) const {
    show_printed(context());
    call_soon([host] { host.fn(host.userData); });
    call_out(wait_for_callbacks);
  }
  void operator()(const Event& event) const {
    CUevent_st& known = driver().events.at(event.event, CUDA_ERROR_INVALID_HANDLE);
    if (event.waits) return;
    known.capture = nullptr;
    known.recorded = std::chrono::steady_clock::now();
  }
  void operator()(const Child& child) const { run(executable(*child.graph)); }
  void operator()(const Conditional&) const {}  // what it decides is the executable graph's
  void operator()(const Allocating& memory) const {
    driver().graph_memory.take(memory.parameters.dptr, memory.parameters.bytesize);
  }
  void operator()(const Freeing& memory) const { driver().graph_memory.give(memory.address); }
  void operator()(const MemoryOperations& operations) const {
    for (const CUstreamBatchMemOpParams& one : operations.list) switch (one.operation) {
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
          write(word_of(one.writeValue, 4));
          break;
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
          write(word_of(one.writeValue, 8));
          break;
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
          wait(word_of(one.waitValue, 4));
          break;
        case CU_STREAM_MEM_OP_WAIT_VALUE_64:
          wait(word_of(one.waitValue, 8));
          break;
        case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
        case CU_STREAM_MEM_OP_BARRIER:
          break;
        default:
          fail(CUDA_ERROR_INVALID_VALUE);
      }
  }
};

}  // namespace

CUgraphNodeType type_of(const Work& work) {
  struct Namer {
    CUgraphNodeType operator()(const Nothing&) const { return CU_GRAPH_NODE_TYPE_EMPTY; }
    CUgraphNodeType operator()(const Kernel&) const { return CU_GRAPH_NODE_TYPE_KERNEL; }
    CUgraphNodeType operator()(const CUDA_MEMCPY3D&) const { return CU_GRAPH_NODE_TYPE_MEMCPY; }
    CUgraphNodeType operator()(const CUDA_MEMSET_NODE_PARAMS&) const { return CU_GRAPH_NODE_TYPE_MEMSET; }
    CUgraphNodeType operator()(const CUDA_HOST_NODE_PARAMS&) const { return CU_GRAPH_NODE_TYPE_HOST; }
    CUgraphNodeType operator()(const Event& event) const {
      return event.waits ? CU_GRAPH_NODE_TYPE_WAIT_EVENT : CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    }
    CUgraphNodeType operator()(const Child&) const { return CU_GRAPH_NODE_TYPE_GRAPH; }
    CUgraphNodeType operator()(const Conditional&) const { return CU_GRAPH_NODE_TYPE_CONDITIONAL; }
    CUgraphNodeType operator()(const Allocating&) const { return CU_GRAPH_NODE_TYPE_MEM_ALLOC; }
    CUgraphNodeType operator()(const Freeing&) const { return CU_GRAPH_NODE_TYPE_MEM_FREE; }
    CUgraphNodeType operator()(const MemoryOperations&) const { return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP; }
  };
  return std::visit(Namer{}, work);
}

void carry_out(const Work& work) { std::visit(Doer{}, work); }

}  // namespace wedjat::live
