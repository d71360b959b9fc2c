// What the handles of cuda.h stand for.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_abi.h"
#include "emulator/device/device.h"
#include "emulator/memory/host_pages.h"
#include "interposer/images/linked.h"
#include "interposer/live/state/failure.h"
#include "interposer/live/state/graphs/graphs.h"
#include "interposer/live/state/memory.h"
#include "interposer/live/state/pool_room.h"
#include "interposer/live/state/shared_pages.h"

namespace wedjat::live {

// PTX that a program brought, and how it wants it compiled.
struct Code {
  std::vector<device::PtxSource> sources;
  int most_registers = 0;  // of a thread; 0: as many as a thread can have
};

}  // namespace wedjat::live

namespace wedjat::live {

// CUcoredumpSettings: what the program set, text or the bytes of a number.
using CoreDumpSettings = std::map<int, std::string>;

}  // namespace wedjat::live

// Everything of a context goes with it.
struct CUctx_st {
  CUctx_st(wedjat::device::DeviceOptions options, unsigned with_flags, unsigned long long number)
      : device(std::move(options)), flags(with_flags), id(number) {}

  wedjat::device::Device device;
  unsigned flags = 0;
  unsigned long long id = 0;
  std::string printed;       // by kernels, and not shown before the host waits
  bool has_printed = false;  // some kernel has
  std::map<int, std::size_t> limits;
  CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
  wedjat::live::CoreDumpSettings core_dumps;
  std::map<int, CUlaunchAttributeValue> stream_attributes;  // of the default streams, that the program set
};

// Some of the device's multiprocessors, with memory and modules of the primary context. As a context it has
// the same handle.
struct CUgreenCtx_st {
  CUcontext primary = nullptr;
  CUdevResource units{};
  unsigned long long id = 0;
};

struct CUdevResourceDesc_st {
  CUdevResource units{};
};

struct CUmod_st {
  CUcontext context = nullptr;
  wedjat::device::Module* module = nullptr;
  CUlibrary library = nullptr;   // it is an instance of
  int most_registers = 0;        // as Code has it
  bool launches_graphs = false;  // some kernel of it may
  std::map<std::string, CUfunction, std::less<>> functions;
};

namespace wedjat::live {

// For cuLaunch and its kin, which say piece by piece what a launch needs.
struct PreparedLaunch {
  unsigned block[3] = {1, 1, 1}, shared_bytes = 0;
  std::size_t parameter_bytes = 0;
  std::vector<std::byte> parameters;
};

}  // namespace wedjat::live

struct CUfunc_st {
  CUmodule module = nullptr;
  std::string name;
  wedjat::device::Function entry;
  std::vector<wedjat::device::ParameterSlot> parameters;
  std::size_t parameter_bytes = 0;
  std::optional<wedjat::device::Needs> needs;  // once somebody asked
  std::map<int, int> attributes;               // that the program set
  wedjat::live::PreparedLaunch prepared;
};

struct CUlib_st {
  wedjat::live::Code code;
  std::optional<wedjat::live::Failure>
      failure;  // what is wrong with it is told when something of it is asked for
  std::map<CUcontext, CUmodule> instances;
  std::map<std::string, CUkernel, std::less<>> kernels;
};

struct CUkern_st {
  CUlibrary library = nullptr;
  std::string name;
  std::map<int, int> attributes;
};

struct CUstream_st {
  CUcontext context = nullptr;
  CUgreenCtx green = nullptr;  // that it was made in
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::map<int, CUlaunchAttributeValue> attributes;  // that the program set
  std::shared_ptr<wedjat::live::Capture> capture;    // what it is given goes into a graph
  std::vector<CUgraphNode> frontier;                 // what its next node comes after
  std::vector<CUgraphEdgeData> edges;                // the same number, for those who ask for them
  const void* thread = nullptr;                      // whose default stream it is
};

struct CUlinkState_st {
  std::vector<CUjit_option> options;
  std::vector<void*> values;
  std::vector<wedjat::interposer::LinkedPart> parts;
  std::optional<std::vector<std::byte>> completed;  // what the program was given
};

struct CUarray_st {
  CUcontext context = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR description{};
};

struct CUmipmappedArray_st {
  CUcontext context = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR description{};
  std::map<unsigned, CUarray> levels;  // that the program asked for
};

// `variable`: its address, where a module has it.
struct CUtexref_st {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  std::uint64_t variable = 0;
  bool is_set = false;  // it refers to something
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC sampling{
      .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  int channels = 1;
};

struct CUsurfref_st {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  std::uint64_t variable = 0;
  CUarray array = nullptr;
};

struct CUmemPoolHandle_st {
  wedjat::live::MemoryKind kind = wedjat::live::MemoryKind::device;  // of what it gives
  CUmemLocationType place = CU_MEM_LOCATION_TYPE_DEVICE;
  std::map<CUmemLocationType, CUmemAccess_flags> access = {
      {CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};  // of those that have some
  std::map<int, cuuint64_t> attributes;                                    // that the program set
  wedjat::live::PoolRoom room;
  std::uint64_t most_bytes = 0;                      // that it may have of the device; 0: all
  std::shared_ptr<wedjat::live::SharedPages> token;  // by which other processes know it
  bool imported = false;
  bool may_be_shared = false;

  // The device may not access what it gives.
  bool is_hidden() const {
    const auto device = access.find(CU_MEM_LOCATION_TYPE_DEVICE);
    return kind == wedjat::live::MemoryKind::pinned &&
           (device == access.end() || device->second == CU_MEM_ACCESS_FLAGS_PROT_NONE);
  }
};

namespace wedjat::live {

// What a texture or surface object was made of.
struct Described {
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC texture;
  CUDA_RESOURCE_VIEW_DESC view;
};

// cuMemCreate.
struct PhysicalMemory {
  PhysicalMemory(std::size_t bytes, const CUmemAllocationProp& given)
      : pages(bytes), size(bytes), properties(given) {}
  PhysicalMemory(std::shared_ptr<SharedPages> given, const CUmemAllocationProp& described)
      : shared(std::move(given)), size(shared->size()), properties(described) {}
  std::byte* data() const { return shared ? shared->data() : pages.data(); }

  memory::HostPages pages;
  std::shared_ptr<SharedPages> shared;  // in place of `pages`, where other processes may reach them
  std::size_t size;
  CUmemAllocationProp properties;
  unsigned references = 1, mappings = 0;
};

// Of no context: every one sees it.
struct Mapping {
  std::uint64_t size = 0;
  CUmemGenericAllocationHandle handle = 0;
  std::byte* host = nullptr;
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

}  // namespace wedjat::live

// Whom the driver would tell that it wants memory back, which it never does here.
struct CUasyncCallbackEntry_st {
  CUasyncCallback callback = nullptr;
};

struct CUevent_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  std::shared_ptr<wedjat::live::Capture> capture;  // recorded in a captured stream
  std::vector<CUgraphNode> frontier;
  bool imported = false;  // of another process
};
