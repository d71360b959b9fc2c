// Which driver call does what in a replay.
#include <array>
#include <string_view>
#include <unordered_map>

#include "traces/replay/handlers.h"

namespace wedjat::traces {
namespace {

void nothing(Replayer&, const Call&) {}

const std::unordered_map<std::string_view, Handler>& handlers() {
  static const std::unordered_map<std::string_view, Handler> table = {
      {"cuMemAlloc", handle::allocate},
      {"cuMemAllocAsync", handle::allocate},
      {"cuMemAllocFromPoolAsync", handle::allocate},
      {"cuMemAllocPitch", handle::allocate_pitch},
      {"cuMemFree", handle::free},
      {"cuMemFreeAsync", handle::free},
      {"cuMemMap", handle::map},
      {"cuMemUnmap", handle::free_mapped},
      {"cuMemcpy", handle::copy_any},
      {"cuMemcpyAsync", handle::copy_any},
      {"cuMemcpyPeer", handle::copy_peer},
      {"cuMemcpyPeerAsync", handle::copy_peer},
      {"cuMemcpyHtoD", handle::copy_to_device},
      {"cuMemcpyHtoDAsync", handle::copy_to_device},
      {"cuMemcpyDtoH", handle::copy_to_host},
      {"cuMemcpyDtoHAsync", handle::copy_to_host},
      {"cuMemcpyDtoD", handle::copy_on_device},
      {"cuMemcpyDtoDAsync", handle::copy_on_device},
      {"cuMemcpy2D", handle::copy_2d},
      {"cuMemcpy2DAsync", handle::copy_2d},
      {"cuMemcpy2DUnaligned", handle::copy_2d},
      {"cuMemcpy3D", handle::copy_3d},
      {"cuMemcpy3DAsync", handle::copy_3d},
      {"cuMemsetD8", handle::fill},
      {"cuMemsetD16", handle::fill},
      {"cuMemsetD32", handle::fill},
      {"cuMemsetD8Async", handle::fill},
      {"cuMemsetD16Async", handle::fill},
      {"cuMemsetD32Async", handle::fill},
      {"cuMemsetD2D8", handle::fill_2d},
      {"cuMemsetD2D16", handle::fill_2d},
      {"cuMemsetD2D32", handle::fill_2d},
      {"cuMemsetD2D8Async", handle::fill_2d},
      {"cuMemsetD2D16Async", handle::fill_2d},
      {"cuMemsetD2D32Async", handle::fill_2d},
      {"cuModuleLoad", handle::load_module},
      {"cuModuleLoadData", handle::load_module},
      {"cuModuleLoadDataEx", handle::load_module},
      {"cuModuleLoadFatBinary", handle::load_module},
      {"cuLibraryLoadData", handle::load_library},
      {"cuLibraryLoadFromFile", handle::load_library},
      {"cuLibraryGetModule", handle::module_of_library},
      {"cuModuleUnload", handle::unload_module},
      {"cuLibraryUnload", handle::unload_library},
      {"cuLaunchKernel", handle::launch},
      {"cuLaunchCooperativeKernel", handle::launch},
      {"cuLaunchKernelEx", handle::launch_extended},
      {"cuStreamBeginCapture", handle::begin_capture},
      {"cuStreamEndCapture", handle::end_capture},
      {"cuGraphInstantiate", handle::instantiate_graph},
      {"cuGraphInstantiateWithFlags", handle::instantiate_graph},
      {"cuGraphInstantiateWithParams", handle::instantiate_graph},
      {"cuGraphLaunch", handle::launch_graph},
  };
  return table;
}

// Calls that change neither memory nor code nor what a later call does in a replay, which is serial and in
// order.
constexpr std::array inert = {"cuInit",
                              "cuDriverGetVersion",
                              "cuGetErrorName",
                              "cuGetErrorString",
                              "cuGetProcAddress",
                              "cuGetExportTable",
                              "cuThreadExchangeStreamCaptureMode",
                              "cuMemAllocManaged",
                              "cuMemAllocHost",
                              "cuMemHostAlloc",
                              "cuMemFreeHost",
                              "cuMemHostRegister",
                              "cuMemHostUnregister",
                              "cuMemAdvise",
                              "cuMemPrefetchAsync",
                              "cuMemPrefetchBatchAsync",
                              "cuMemAddressReserve",
                              "cuMemAddressFree",
                              "cuMemCreate",
                              "cuMemRelease",
                              "cuMemSetAccess",
                              "cuMemRetainAllocationHandle",
                              "cuLaunchHostFunc",
                              "cuStreamAddCallback",
                              "cuStreamAttachMemAsync",
                              "cuStreamCreate",
                              "cuStreamCreateWithPriority",
                              "cuStreamDestroy",
                              "cuStreamSynchronize",
                              "cuStreamQuery",
                              "cuStreamWaitEvent",
                              "cuStreamSetAttribute",
                              "cuStreamCopyAttributes",
                              "cuStreamIsCapturing",
                              "cuFuncSetAttribute",
                              "cuFuncSetCacheConfig",
                              "cuFuncSetSharedMemConfig",
                              "cuFuncIsLoaded",
                              "cuFuncLoad",
                              "cuKernelSetAttribute",
                              "cuKernelSetCacheConfig",
                              "cuLinkCreate",
                              "cuLinkAddData",
                              "cuLinkAddFile",
                              "cuLinkComplete",
                              "cuLinkDestroy",
                              "cuModuleEnumerateFunctions",
                              "cuLibraryEnumerateKernels",
                              "cuGraphDestroy",
                              "cuGraphExecDestroy",
                              "cuGraphUpload",
                              "cuGraphGetNodes",
                              "cuGraphNodeGetType",
                              "cuFlushGPUDirectRDMAWrites",
                              "cuPointerSetAttribute"};

// Families of calls that only ask, or manage what a replay does not model.
constexpr std::array inert_prefixes = {
    "cuDevice",     "cuCtx",      "cuEvent",      "cuOccupancy",  "cuMemPool",   "cuProfiler",
    "cuCoredump",   "cuGreenCtx", "cuLog",        "cuFuncGet",    "cuKernelGet", "cuModuleGet",
    "cuLibraryGet", "cuMemGet",   "cuMemHostGet", "cuPointerGet", "cuStreamGet", "cuMemRangeGet"};

}  // namespace

Handler handler_of(const std::string& base) {
  if (const auto found = handlers().find(base); found != handlers().end()) return found->second;
  for (const char* name : inert)
    if (base == name) return nothing;
  for (const std::string_view prefix : inert_prefixes)
    if (base.compare(0, prefix.size(), prefix) == 0) return nothing;
  return nullptr;
}

}  // namespace wedjat::traces
