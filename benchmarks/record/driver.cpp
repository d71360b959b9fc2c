#include "benchmarks/record/driver.h"

#include <cstring>

namespace wedjat::benchmarks {
namespace {

// The fake driver of the tests knows this kernel by its name.
constexpr const char* kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r0, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p bra done;
  cvta.to.global.u64 %d1, %d0;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r5, [%d3];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%d3], %r5;
done:
  ret;
}
)";

}  // namespace

Driver::Driver(const std::string& name) : library_(::dlopen(name.c_str(), RTLD_NOW)) {
  if (library_ == nullptr) throw std::runtime_error(::dlerror());
  CUcontext context = nullptr;
  call("cuInit", 0u);
  call("cuDevicePrimaryCtxRetain", &context, CUdevice{0});
  call("cuCtxSetCurrent", context);
  CUmodule module = nullptr;
  call("cuModuleLoadData", &module, static_cast<const void*>(kPtx));
  call("cuModuleGetFunction", &increment_, module, static_cast<const char*>("increment"));
}

void Driver::increment(CUdeviceptr data, std::size_t bytes, CUstream stream) {
  auto count = static_cast<unsigned>(bytes / 4);
  void* parameters[] = {&data, &count};
  call("cuLaunchKernel", increment_, (count + 255) / 256, 1u, 1u, 256u, 1u, 1u, 0u, stream,
       static_cast<void**>(parameters), static_cast<void**>(nullptr));
}

CUdeviceptr Driver::device(std::size_t size) {
  CUdeviceptr memory = 0;
  call("cuMemAlloc_v2", &memory, size);
  call("cuMemsetD8_v2", memory, static_cast<unsigned char>(0), size);
  return memory;
}

unsigned* Driver::pinned(std::size_t size) {
  void* memory = nullptr;
  call("cuMemHostAlloc", &memory, size, 0u);
  std::memset(memory, 0, size);
  return static_cast<unsigned*>(memory);
}

CUdeviceptr Driver::mapped(const unsigned* pinned) {
  CUdeviceptr address = 0;
  call("cuMemHostGetDevicePointer_v2", &address, static_cast<void*>(const_cast<unsigned*>(pinned)), 0u);
  return address;
}

CUdeviceptr Driver::managed(std::size_t size) {
  CUdeviceptr memory = 0;
  call("cuMemAllocManaged", &memory, size, 1u);
  std::memset(reinterpret_cast<void*>(memory), 0, size);
  return memory;
}

CUstream Driver::stream() {
  CUstream made = nullptr;
  call("cuStreamCreate", &made, 0u);
  return made;
}

CUevent Driver::event() {
  CUevent made = nullptr;
  call("cuEventCreate", &made, 0u);
  return made;
}

}  // namespace wedjat::benchmarks
