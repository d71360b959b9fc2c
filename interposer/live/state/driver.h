// The state of the driver in this process.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "emulator/compile/tier/journal.h"
#include "interposer/live/state/handles.h"
#include "interposer/live/state/memory.h"
#include "interposer/live/state/objects.h"
#include "interposer/live/state/options.h"
#include "interposer/live/state/pool_room.h"
#include "interposer/live/state/profile.h"

namespace wedjat::live {

// What nodes of graphs allocated when they were carried out, until it was freed. An H100 counts what the
// device gave for it, in the units of pools, until it is trimmed.
struct GraphMemory {
  std::set<CUdeviceptr> live;
  PoolRoom room;
  void take(CUdeviceptr address, cuuint64_t bytes);
  void give(CUdeviceptr address);
};

// Launches of a kernel that went well, for the report at the end.
struct Ran {
  std::uint64_t launches = 0, steps = 0, native_steps = 0;  // of warps; the part that native code ran
  double seconds = 0;
};

// Those that a program need not make, of a kind of memory at a kind of place.
struct PoolsOfPlace {
  CUmemoryPool first = nullptr, current = nullptr;
};

struct Driver {
  std::mutex mutex;  // held by every call while it looks at what follows
  bool initialized = false;
  Options options = options_of_environment();

  Handles<CUctx_st> contexts;
  Handles<CUgreenCtx_st> green_contexts;
  Handles<CUdevResourceDesc_st> resource_descriptions;
  Handles<CUmod_st> modules;
  Handles<CUfunc_st> functions;
  Handles<CUlib_st> libraries;
  Handles<CUkern_st> kernels;
  Handles<CUstream_st> streams;
  Handles<CUevent_st> events;
  Handles<CUgraph_st> graphs;
  Handles<CUgraphNode_st> nodes;
  Handles<CUgraphExec_st> executables;
  Handles<CUuserObject_st> user_objects;
  std::vector<CUgraphExec> running_graphs;  // each launched by a kernel of the one before
  GraphMemory graph_memory;
  Handles<CUlinkState_st> links;
  Handles<CUarray_st> arrays;
  Handles<CUmipmappedArray_st> mipmapped_arrays;
  Handles<CUtexref_st> texture_references;
  Handles<CUsurfref_st> surface_references;
  std::unordered_map<std::uint64_t, Described> described;  // textures and surfaces
  std::uint64_t next_texture = 1;
  Memory memory;

  Handles<CUmemPoolHandle_st> pools;
  std::map<std::pair<MemoryKind, CUmemLocationType>, PoolsOfPlace> pools_of;
  std::map<std::uint64_t, std::uint64_t> reserved;  // cuMemAddressReserve: address -> bytes
  std::map<CUmemGenericAllocationHandle, PhysicalMemory> physical;
  std::map<std::uint64_t, Mapping> mappings;  // by address
  CUmemGenericAllocationHandle next_physical = 1;

  CoreDumpSettings core_dumps;  // of contexts that set none
  Handles<CUasyncCallbackEntry_st> notifications;

  CUcontext primary = nullptr;
  unsigned primary_uses = 0, primary_flags = 0;
  unsigned long long next_context = 1, next_stream = 10, next_capture = 1;
  unsigned long long launches = 0;
  std::map<std::string, Ran, std::less<>> ran;  // by kernel, where a report is wanted
  CUresult failed = CUDA_SUCCESS;  // what every call answers once a kernel failed, in any context: measured
};

// Never destroyed: a program may call the driver while it ends.
Driver& driver();

// The primary context, which is in use once more.
CUctx_st& retain_primary();
void release_primary();

CUctx_st& make_context(unsigned flags);
// The memory that is mapped there, as far as it may be accessed.
void show_mapping(CUctx_st& context, CUdeviceptr address, const Mapping& mapping);
/// At the end of the process: what was made is there the next time.
void keep_native_code();
/// What was made, of all kernels that were launched.
std::vector<compile::KernelReport> native_code();
void destroy_context(CUctx_st& context);

// Fails with the code of the kernel that failed, if one did.
inline void unharmed() { require(driver().failed == CUDA_SUCCESS, driver().failed); }

// There is one device.
inline void check_device(CUdevice device) { require(device == 0, CUDA_ERROR_INVALID_DEVICE); }

// Addresses of the host, and handles that are pointers, as numbers.
inline std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

inline CUmemPoolHandle_st& pool_at(CUmemoryPool handle) {
  return driver().pools.at(handle, CUDA_ERROR_INVALID_VALUE);
}

inline CUgraphNode_st& node_at(CUgraphNode handle) {
  return driver().nodes.at(handle, CUDA_ERROR_INVALID_VALUE);
}

// Of the calling thread, the current one last.
std::vector<CUcontext>& context_stack();
CUcontext current_context();  // null if there is none
// What is mapped there, with the address it begins at; null: nothing.
const std::pair<const std::uint64_t, Mapping>* mapped_at(CUdeviceptr address);

// The context with the handle; of a green one the primary context, whose memory and modules it has.
CUctx_st& context_at(CUcontext handle, CUresult otherwise);
// As calls about contexts take one: null is none.
CUctx_st& named_context(CUcontext handle);
CUgreenCtx_st* green_of(CUcontext handle);  // null if it is none
// Multiprocessors that kernels of the current context may use.
unsigned multiprocessors();
// Fails with CUDA_ERROR_INVALID_CONTEXT.
CUctx_st& context();

// What becomes visible, and what goes, when the host has waited for work of the context.
void waited(CUctx_st& context);
// Kernels' output becomes visible where the driver shows it: when the host waits.
void show_printed(CUctx_st& context);

}  // namespace wedjat::live
