// A driver-API program that copies nothing to the host. Arguments: what becomes of its memory, and how many
// bytes it has (1,024).
//   live     nothing: the program ends with it
//   freed    cuMemFree
//   later    cuMemAllocAsync, cuMemFreeAsync
//   waited   as live, after a wait
//   endless  as live, while a kernel never ends
//   copied   as freed, after a copy to the host
//   untouched  as live and freed, but the device does nothing
//   wrong    as live, with PTX that adds another number than the kernel the fake driver runs
#include <numeric>
#include <string>
#include <vector>

#include "tests/interposer/driver_calls.h"

using namespace test;

namespace {

// increment(unsigned* data, unsigned count), as the fake driver has it.
constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count)
{
  .reg .b32 %i, %x;
  .reg .b64 %at, %offset;
  mov.u32 %i, %tid.x;
  ld.param.u64 %at, [data];
  mul.wide.u32 %offset, %i, 4;
  add.u64 %at, %at, %offset;
  ld.global.u32 %x, [%at];
  add.u32 %x, %x, ADDEND;
  st.global.u32 [%at], %x;
  ret;
}
.visible .entry endless() { ret; }
)";

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "live";
  std::string text = kPtx;
  text.replace(text.find("ADDEND"), 6, how == "wrong" ? "2" : "1");
  begin();
  const CUmodule module = load(text.c_str());
  const CUfunction increment = function_of(module, "increment"), endless = function_of(module, "endless");
  const CUstream work = stream();
  unsigned count = 256;
  std::vector<unsigned> numbers((argc > 2 ? std::stoul(argv[2]) : 1024) / sizeof(unsigned));
  std::iota(numbers.begin(), numbers.end(), 0u);
  const std::size_t size = numbers.size() * sizeof(unsigned);
  CUdeviceptr data = 0;
  if (how == "later")
    call("cuMemAllocAsync", &data, size, work);
  else
    data = device_memory(size);
  if (how == "untouched") return call("cuMemFree_v2", device_memory(size)), 0;
  to_device(data, numbers.data(), size);
  void* parameters[] = {&data, &count};
  launch(increment, 1, count, work, parameters);
  if (how == "endless") launch(endless, 1, 1, work, nullptr);
  if (how == "waited") wait();
  if (how == "copied") {
    wait(work);
    to_host(numbers.data(), data, size);
  }
  if (how == "freed" || how == "copied") call("cuMemFree_v2", data);
  if (how == "later") call("cuMemFreeAsync", data, work);
  return 0;
}
