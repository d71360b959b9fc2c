// Code that a program brings, and the kernels in it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_limits.h"
#include "interposer/live/state/driver.h"

namespace wedjat::live {

// CUjit_options with their values.
struct JitOptions {
  unsigned count = 0;
  const CUjit_option* options = nullptr;
  void** values = nullptr;

  // As a number; nothing where the program did not give it.
  std::optional<std::uint64_t> number(CUjit_option option) const;
};

// The PTX of an image in the program's memory, or of a file. Fails with CUDA_ERROR_NO_BINARY_FOR_GPU, saying
// what is there, where it is all machine code.
Code code_of(const void* image, const JitOptions& options);
// Of bytes that are known, as those of a file.
Code code_of_bytes(const std::string& name, std::span<const std::byte> image, const JitOptions& options);
Code code_of_file(const char* path, const JitOptions& options);

// Whether its texts define all that they name.
bool is_complete(const Code& code);

// Fails, or throws ptx::Error, where the driver's compiler would refuse it; `most_shared`: static shared
// memory that a kernel may have.
CUmod_st& load(CUctx_st& context, Code code, const JitOptions& options,
               std::uint64_t most_shared = limits::shared_bytes_per_block);
void unload(CUmod_st& module);

// The instance of a library in the current context.
CUmod_st& instance(CUlib_st& library);

// Fail with CUDA_ERROR_NOT_FOUND.
CUfunc_st& function_of(CUmod_st& module, std::string_view name);
CUkern_st& kernel_of(CUlib_st& library, std::string_view name);

// Fails with CUDA_ERROR_INVALID_HANDLE.
CUmod_st& module_at(CUmodule handle);

// A CUfunction, or a CUkernel in its place. Fails with CUDA_ERROR_INVALID_HANDLE.
CUfunc_st& function_at(CUfunction handle);

const device::Needs& needs_of(CUfunc_st& function);

}  // namespace wedjat::live
