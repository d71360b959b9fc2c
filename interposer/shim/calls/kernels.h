// Kernel handles, the layout of their parameters, and launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void function_found(CUfunction function, CUmodule module, const char* name);
void functions_found(const CUfunction* functions, unsigned count, CUmodule module);
void kernel_found(CUkernel kernel, CUlibrary library, const char* name);
void kernels_found(const CUkernel* kernels, unsigned count, CUlibrary library);
void kernel_function_found(CUfunction function, CUkernel kernel);

// The packed parameters, valid until the thread's next launch. Tells the kernel if it is new.
std::span<const std::byte> packed_parameters(const Call& call, CUfunction function, void** parameters,
                                             void** extra);
// Tells them as payload `name` of the call.
void node_parameters(const Call& call, const char* name, CUfunction function, void** parameters,
                     void** extra);

void launch(const Call& call, std::span<const std::byte> parameters);
void launch_on(Call& call, const CUlaunchConfig* config, std::span<const std::byte> parameters);
void launched(const Call& call);  // by either of these
void launch_many(const Call& call, const CUDA_LAUNCH_PARAMS* launches, unsigned count);
void legacy_launch(const Call& call, CUfunction function);  // parameters came through cuParamSet*

}  // namespace wedjat::interposer
