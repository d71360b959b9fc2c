// Launches: of kernels, and of functions of the host.
#include "interposer/live/state/perform.h"
#include "interposer/live/state/streams.h"
#include "interposer/live/work/kernels.h"
#include "interposer/meaning/launches.h"
#include "live_calls.h"

namespace wedjat::live::calls {
namespace {

void launch(CUfunction handle, const device::LaunchConfig& config, CUstream stream, void** parameters,
            void** extra) {
  const CUstream_st* const where = stream_of(stream);
  CUfunc_st& function = function_at(handle);
  const std::span<const std::byte> packed = packed_parameters(function, parameters, extra);
  if (where == nullptr || !where->capture) return live::launch(function, config, packed);
  give(stream, Kernel{&function, config, {packed.begin(), packed.end()}, {}, {}});
}

}  // namespace

void cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                    unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** parameters,
                    void** extra) {
  launch(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared}, stream,
         parameters, extra);
}

void cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  require(config->numAttrs == 0 || config->attrs != nullptr);
  for (const CUlaunchAttribute& one : std::span(config->attrs, config->numAttrs))
    require(one.id < CU_LAUNCH_ATTRIBUTE_MAX);
  launch(function, interposer::launch_config(*config, {config->attrs, config->numAttrs}), config->hStream,
         parameters, extra);
}

void cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                               CUstream stream, void** parameters) {
  launch(function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {1, 1, 1}, shared, true}, stream,
         parameters, nullptr);
}

// Of several devices, of which there is one.
void cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launches, unsigned, unsigned) {
  const CUDA_LAUNCH_PARAMS& one = launches[0];
  require(stream_of(one.hStream) != nullptr, CUDA_ERROR_INVALID_HANDLE);
  cuLaunchCooperativeKernel(one.function, one.gridDimX, one.gridDimY, one.gridDimZ, one.blockDimX,
                            one.blockDimY, one.blockDimZ, one.sharedMemBytes, one.hStream, one.kernelParams);
}

void cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  require(function != nullptr);
  const CUstream_st* const where = stream_of(stream);
  if (where != nullptr && where->capture) return void(give(stream, CUDA_HOST_NODE_PARAMS{function, data}));
  show_printed(context());
  call_soon([function, data] { function(data); });
}

void cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data, unsigned flags) {
  check_waitable(stream);
  require(function != nullptr && flags == 0);
  show_printed(context());
  call_soon([=] { function(stream, CUDA_SUCCESS, data); });
}

}  // namespace wedjat::live::calls
