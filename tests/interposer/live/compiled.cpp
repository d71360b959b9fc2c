// A program that compiles in the process, and gives the driver machine code alone: by NVRTC that is linked or
// opened, and by nvJitLink, of PTX or at link time.
#include "tests/interposer/compilers.h"
#include "tests/interposer/live/check.h"

namespace {

// Stores a number of its own.
std::string kernel(unsigned value) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry store(.param .u64 to) {\n  .reg .b64 %d;\n  ld.param.u64 %d, [to];\n"
         "  st.global.u32 [%d], " +
         std::to_string(value) + ";\n  ret;\n}\n";
}

void run(const std::vector<char>& code, unsigned expected, int most_registers = 255) {
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr to = 0;
  unsigned got = 0;
  CHECK(cuModuleLoadData(&module, code.data()));
  CHECK(cuModuleGetFunction(&store, module, "store"));
  CHECK(cuMemAlloc(&to, sizeof got));
  void* parameters[] = {&to};
  CHECK(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK(cuMemcpyDtoH(&got, to, sizeof got));
  EXPECT(got == expected);
  int registers = 0;
  CHECK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, store));
  EXPECT(registers <= most_registers);
}

}  // namespace

int main(int argc, char** argv) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  if (argc != 2) return 2;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  run(by_linked_nvrtc(kernel(1)), 1);
  run(by_opened_nvrtc(kernel(2), argv[1]), 2);
  run(by_linker(kernel(3), false, false), 3, 32);
  run(by_linker(kernel(4), true, true), 4, 32);
  return wrong == 0 ? 0 : 1;
}
