// Variables of modules that the application asks for: memory of the device, or, if __managed__, of both
// sides. The application may not ask for their size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_abi.h"
#include "interposer/shim/events/call.h"

namespace wedjat::interposer {

void global_found(const Call& call, std::uint64_t address, std::size_t size, CUmodule module,
                  const char* name);
void global_found(const Call& call, std::uint64_t address, std::size_t size, CUlibrary library,
                  const char* name);
void managed_found(const Call& call, std::uint64_t address, std::size_t size, CUlibrary library,
                   const char* name);

}  // namespace wedjat::interposer
