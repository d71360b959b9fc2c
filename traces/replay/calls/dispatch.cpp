// Which driver call does what in a replay.
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "traces/format/api_table.h"
#include "traces/replay/calls/handlers.h"

namespace wedjat::traces {
namespace {

void nothing(Replayer&, const Call&) {}

const std::unordered_map<std::string_view, Handler>& handlers() {
  static const std::unordered_map<std::string_view, Handler> table = {
      {"cuCtxDestroy", handle::drop_context},
      {"cuDevicePrimaryCtxReset", handle::drop_context},
      {"cuDevicePrimaryCtxRelease", handle::drop_context},
      {"cuMemAlloc", handle::allocate},
      {"cuMemAllocAsync", handle::allocate},
      {"cuMemAllocFromPoolAsync", handle::allocate},
      {"cuMemAllocPitch", handle::allocate_pitch},
      {"cuMemFree", handle::free},
      {"cuMemFreeAsync", handle::free},
      {"cuMemCreate", handle::create_memory},
      {"cuMemRelease", handle::release_memory},
      {"cuMemRetainAllocationHandle", handle::retain_memory},
      {"cuMemMap", handle::map_memory},
      {"cuMemUnmap", handle::unmap_memory},
      {"cuIpcGetMemHandle", handle::give_memory},
      {"cuIpcOpenMemHandle", handle::open_memory},
      {"cuIpcCloseMemHandle", handle::close_memory},
      {"cuMulticastCreate", handle::create_multicast},
      {"cuMulticastAddDevice", nothing},
      {"cuMulticastBindMem", handle::bind_multicast_memory},
      {"cuMulticastBindAddr", handle::bind_multicast_address},
      {"cuMulticastUnbind", handle::unbind_multicast},
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
      {"cuMemcpy3DPeer", handle::copy_3d},
      {"cuMemcpy3DPeerAsync", handle::copy_3d},
      {"cuMemcpyHtoA", handle::copy_host_to_array},
      {"cuMemcpyHtoAAsync", handle::copy_host_to_array},
      {"cuMemcpyAtoH", handle::copy_array_to_host},
      {"cuMemcpyAtoHAsync", handle::copy_array_to_host},
      {"cuMemcpyDtoA", handle::copy_device_to_array},
      {"cuMemcpyAtoD", handle::copy_array_to_device},
      {"cuMemcpyAtoA", handle::copy_array_to_array},
      {"cuMemcpyBatchAsync", handle::copy_batch},
      {"cuMemcpy3DBatchAsync", handle::copy_box_batch},
      {"cuStreamWriteValue32", handle::write_value},
      {"cuStreamWriteValue64", handle::write_value},
      {"cuStreamWaitValue32", handle::wait_value},
      {"cuStreamWaitValue64", handle::wait_value},
      {"cuStreamBatchMemOp", handle::batch_memory_operations},
      {"cuLaunchHostFunc", handle::host_function},
      {"cuStreamAddCallback", handle::host_function},
      {"cuArrayCreate", handle::create_array},
      {"cuArray3DCreate", handle::create_array},
      {"cuArrayDestroy", handle::destroy_array},
      {"cuMipmappedArrayCreate", handle::create_mipmapped_array},
      {"cuMipmappedArrayGetLevel", handle::level_of_mipmapped_array},
      {"cuMipmappedArrayDestroy", handle::destroy_mipmapped_array},
      {"cuTexObjectCreate", handle::create_texture},
      {"cuTexObjectDestroy", handle::destroy_texture},
      {"cuSurfObjectCreate", handle::create_surface},
      {"cuSurfObjectDestroy", handle::destroy_surface},
      {"cuModuleGetTexRef", handle::find_texture_reference},
      {"cuTexRefSetArray", handle::set_reference_array},
      {"cuTexRefSetMipmappedArray", handle::set_reference_array},
      {"cuTexRefSetAddress", handle::set_reference_memory},
      {"cuTexRefSetAddress2D", handle::set_reference_memory},
      {"cuTexRefSetFormat", handle::set_reference_format},
      {"cuTexRefSetAddressMode", handle::set_reference_sampling},
      {"cuTexRefSetFilterMode", handle::set_reference_sampling},
      {"cuTexRefSetMipmapFilterMode", handle::set_reference_sampling},
      {"cuTexRefSetMipmapLevelBias", handle::set_reference_sampling},
      {"cuTexRefSetMipmapLevelClamp", handle::set_reference_sampling},
      {"cuTexRefSetMaxAnisotropy", handle::set_reference_sampling},
      {"cuTexRefSetFlags", handle::set_reference_sampling},
      {"cuTexRefSetBorderColor", handle::set_reference_border},
      {"cuSurfRefSetArray", handle::set_surface_reference},
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
      {"cuLibraryGetKernel", handle::kernel_of_library},
      {"cuModuleUnload", handle::unload_module},
      {"cuLibraryUnload", handle::unload_library},
      {"cuLinkAddData", handle::link_add},
      {"cuLinkAddFile", handle::link_add},
      {"cuLinkComplete", handle::link_complete},
      {"cuLinkDestroy", handle::link_destroy},
      {"cuLaunchKernel", handle::launch},
      {"cuLaunchCooperativeKernel", handle::launch},
      {"cuLaunchKernelEx", handle::launch},
      {"cuStreamBeginCapture", handle::begin_capture},
      {"cuStreamBeginCaptureToGraph", handle::begin_capture},
      {"cuStreamEndCapture", handle::end_capture},
      {"cuGraphCreate", handle::create_graph},
      {"cuGraphConditionalHandleCreate", handle::create_condition},
      {"cuGraphDestroy", handle::destroy_graph},
      {"cuGraphClone", handle::clone_graph},
      {"cuGraphNodeFindInClone", handle::find_in_clone},
      {"cuGraphChildGraphNodeGetGraph", handle::child_graph},
      {"cuGraphDestroyNode", handle::destroy_node},
      {"cuGraphAddDependencies", handle::add_dependencies},
      {"cuGraphRemoveDependencies", handle::remove_dependencies},
      {"cuGraphKernelNodeSetAttribute", handle::set_node_attribute},
      {"cuGraphKernelNodeCopyAttributes", handle::copy_node_attributes},
      {"cuGraphAddKernelNode", handle::add_node},
      {"cuGraphAddMemcpyNode", handle::add_node},
      {"cuGraphAddMemsetNode", handle::add_node},
      {"cuGraphAddHostNode", handle::add_node},
      {"cuGraphAddChildGraphNode", handle::add_node},
      {"cuGraphAddEmptyNode", handle::add_node},
      {"cuGraphAddEventRecordNode", handle::add_node},
      {"cuGraphAddEventWaitNode", handle::add_node},
      {"cuGraphAddMemAllocNode", handle::add_node},
      {"cuGraphAddMemFreeNode", handle::add_node},
      {"cuGraphAddBatchMemOpNode", handle::add_node},
      {"cuGraphAddNode", handle::add_node},
      {"cuGraphKernelNodeSetParams", handle::set_node},
      {"cuGraphMemcpyNodeSetParams", handle::set_node},
      {"cuGraphMemsetNodeSetParams", handle::set_node},
      {"cuGraphHostNodeSetParams", handle::set_node},
      {"cuGraphBatchMemOpNodeSetParams", handle::set_node},
      {"cuGraphNodeSetParams", handle::set_node},
      {"cuGraphExecKernelNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecMemcpyNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecMemsetNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecHostNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecChildGraphNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecBatchMemOpNodeSetParams", handle::set_node_of_executable},
      {"cuGraphExecNodeSetParams", handle::set_node_of_executable},
      {"cuGraphNodeSetEnabled", handle::enable_node},
      {"cuGraphExecUpdate", handle::update_executable},
      {"cuGraphExecDestroy", handle::destroy_executable},
      {"cuGraphInstantiate", handle::instantiate_graph},
      {"cuGraphInstantiateWithFlags", handle::instantiate_graph},
      {"cuGraphInstantiateWithParams", handle::instantiate_graph},
      {"cuGraphLaunch", handle::launch_graph},
  };
  return table;
}

// What cuda.yaml says of calls that need no work in a replay.
bool is_inert(const std::string& base) {
  static const auto& bases = *[] {
    auto* names = new std::unordered_set<std::string_view>;
    for (const ApiFunction& function : api_functions())
      if (function.inert) names->insert(function.base);
    return names;
  }();
  return bases.contains(base);
}

}  // namespace

Handler handler_of(const std::string& base) {
  if (const auto found = handlers().find(base); found != handlers().end()) return found->second;
  return is_inert(base) ? nothing : nullptr;
}

std::string_view why_refused(const std::string& base) {
  struct Reason {
    std::string_view prefix, why;
  };
  static constexpr std::array reasons = {
      Reason{"cuMemPoolImport", "it takes memory from another process, of which the trace tells nothing"},
      Reason{"cuMemImport", "it takes memory from another process, of which the trace tells nothing"},
      Reason{"cuImportExternal", "it takes memory from another API, of which the trace tells nothing"},
      Reason{"cuExternalMemory", "it takes memory from another API, of which the trace tells nothing"},
      Reason{"cuSignalExternal", "it works with another API, of which the trace tells nothing"},
      Reason{"cuWaitExternal", "it works with another API, of which the trace tells nothing"},
      Reason{"cuGraphics", "it takes memory from a graphics API, of which the trace tells nothing"},
      Reason{"cuLaunchCooperativeKernelMultiDevice", "replay has one device"},
      Reason{"cuTexRef", "texture references that no module has are not replayed"},
      Reason{"cuParam", "launches through cuParamSet are not replayed"},
      Reason{"cuMemMapArray", "sparse arrays are not replayed"},
      Reason{"cuMemBatchDecompress", "decompression by the device is not replayed"}};
  for (const Reason& reason : reasons)
    if (base.compare(0, reason.prefix.size(), reason.prefix) == 0) return reason.why;
  return "replay does not know how to carry out this call";
}

bool has_effect(const std::string& base) {
  const Handler handler = handler_of(base);
  return handler && handler != nothing;
}

}  // namespace wedjat::traces
