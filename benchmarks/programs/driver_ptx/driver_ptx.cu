// The driver API without the runtime: loads PTX text, sets a module variable, launches with both ways to pass
// arguments.
#include <cuda.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/program.h"

#define DRIVER_CHECK(call) driver_check((call), #call, __LINE__)

static void driver_check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "unknown error";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, name);
  std::exit(2);
}

static std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// kernels.ptx lies beside the executable unless the second argument names it.
static std::string default_path(const char* program) {
  const std::string path = program;
  const std::size_t slash = path.rfind('/');
  return (slash == std::string::npos ? "." : path.substr(0, slash)) + "/kernels.ptx";
}

static CUmodule load(const std::string& ptx) {
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  CUmodule module;
  const CUresult result = cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values);
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "%s\n", log);
  driver_check(result, "cuModuleLoadDataEx", __LINE__);
  return module;
}

int main(int argc, char** argv) {
  const unsigned block = 128;
  const unsigned grid = program::blocks_for(program::argument(argc, argv, 1, 10000), block);
  unsigned count = grid * block, factor = 2654435761u;
  const std::string ptx = read_file(argc > 2 ? argv[2] : default_path(argv[0]));

  DRIVER_CHECK(cuInit(0));
  CUdevice device;
  CUcontext context;
  DRIVER_CHECK(cuDeviceGet(&device, 0));
  DRIVER_CHECK(cuDevicePrimaryCtxRetain(&context, device));
  DRIVER_CHECK(cuCtxSetCurrent(context));
  CUmodule module = load(ptx);
  CUfunction affine, reverse;
  DRIVER_CHECK(cuModuleGetFunction(&affine, module, "affine"));
  DRIVER_CHECK(cuModuleGetFunction(&reverse, module, "reverse"));

  const unsigned table[4] = {1000, 2000, 3000, 4000};
  CUdeviceptr table_address, launches_address, in, out;
  std::size_t table_bytes = 0;
  DRIVER_CHECK(cuModuleGetGlobal(&table_address, &table_bytes, module, "table"));
  DRIVER_CHECK(cuMemcpyHtoD(table_address, table, sizeof(table)));
  DRIVER_CHECK(cuModuleGetGlobal(&launches_address, nullptr, module, "launches"));

  std::vector<unsigned> input(count), got(count), expected(count);
  program::Random random(14);
  for (unsigned& value : input) value = static_cast<unsigned>(random.bits());
  DRIVER_CHECK(cuMemAlloc(&in, count * sizeof(unsigned)));
  DRIVER_CHECK(cuMemAlloc(&out, count * sizeof(unsigned)));
  DRIVER_CHECK(cuMemcpyHtoD(in, input.data(), count * sizeof(unsigned)));
  DRIVER_CHECK(cuMemsetD32(out, 0xdeadbeef, count));

  // One element short: the last keeps the value of the memset.
  unsigned guarded = count - 1;
  void* arguments[] = {&in, &out, &factor, &guarded};
  DRIVER_CHECK(cuLaunchKernel(affine, grid, 1, 1, block, 1, 1, 0, nullptr, arguments, nullptr));
  std::size_t packed_bytes = sizeof(out);
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &out, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
                    CU_LAUNCH_PARAM_END};
  DRIVER_CHECK(
      cuLaunchKernel(reverse, grid, 1, 1, block, 1, 1, block * sizeof(unsigned), nullptr, nullptr, packed));
  DRIVER_CHECK(cuCtxSynchronize());

  unsigned launches = 0;
  DRIVER_CHECK(cuMemcpyDtoH(got.data(), out, count * sizeof(unsigned)));
  DRIVER_CHECK(cuMemcpyDtoH(&launches, launches_address, sizeof(launches)));
  for (unsigned i = 0; i < count; ++i) {
    const unsigned source = i / block * block + (block - 1 - i % block);
    expected[i] = source < guarded ? input[source] * factor + table[source % 4] : 0xdeadbeef;
  }
  const bool data_agrees = program::equal_bits("reversed", got, expected);
  const bool launches_agree =
      program::equal_bits("table bytes, launches", {static_cast<unsigned>(table_bytes), launches},
                          std::vector<unsigned>{sizeof(table), 1});

  DRIVER_CHECK(cuMemFree(in));
  DRIVER_CHECK(cuMemFree(out));
  DRIVER_CHECK(cuModuleUnload(module));
  DRIVER_CHECK(cuDevicePrimaryCtxRelease(device));
  return program::verdict("driver_ptx", data_agrees && launches_agree);
}
