// A driver-API program whose kernel changes memory both sides see; its recording can be replayed. Argument:
// `stray` gives the driver PTX that writes one byte more than the kernel the fake driver runs, `wrong` PTX
// that adds another number, `opaque` machine code only; `nvrtc`, `opened LIBRARY`, `linker`, `lto`, `archive`
// machine code that a compiler within the program made; `next` only looks which dlsym comes next. `atomics`
// increments by atomics while the host adds to the same place; `racing` adds another number, and all threads
// store to one place.
#include <dlfcn.h>
#include <elf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/interposer/compilers.h"
#include "tests/interposer/driver_calls.h"

using namespace test;

namespace {

// increment(unsigned* data, unsigned count), as the fake driver has it.
constexpr const char* kBegin = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count)
{
  .reg .pred %outside;
  .reg .b32 %i, %n, %x, %one;
  .reg .b64 %at, %offset;
  mov.u32 %i, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %x, %tid.x;
  mad.lo.u32 %i, %i, %n, %x;
  ld.param.u32 %n, [count];
  setp.ge.u32 %outside, %i, %n;
  @%outside ret;
  ld.param.u64 %at, [data];
  mul.wide.u32 %offset, %i, 4;
  add.u64 %at, %at, %offset;
  ld.global.u32 %x, [%at];
  add.u32 %x, %x, ADDEND;
  st.global.u32 [%at], %x;
)";
constexpr const char* kRight = "1";
constexpr const char* kWrong = "2";
constexpr const char* kStray = "  mov.u32 %one, 1;\n  st.global.u8 [%at + 8192], %one;\n";
constexpr const char* kRacing = "  ld.param.u64 %at, [data];\n  st.global.u32 [%at + 8192], %i;\n";
constexpr const char* kEnd = "  ret;\n}\n";

}  // namespace

int main(int argc, char** argv) {
  const bool stray = argc > 1 && std::strcmp(argv[1], "stray") == 0;
  const bool wrong = argc > 1 && std::strcmp(argv[1], "wrong") == 0;
  const std::string mode = argc > 1 ? argv[1] : "";
  // The C library's answer depends on who asks: here the first one of all, which is the program's.
  if (mode == "next") return dlsym(RTLD_NEXT, "dlsym") == reinterpret_cast<void*>(&dlsym) ? 0 : 94;
  std::string text = std::string(kBegin) + (stray ? kStray : "") + (mode == "racing" ? kRacing : "") + kEnd;
  const auto replace = [&](const std::string& what, const std::string& with) {
    text.replace(text.find(what), what.size(), with);
  };
  replace("ADDEND", wrong || mode == "racing" ? kWrong : kRight);
  if (mode == "atomics") replace("st.global.u32 [%at], %x;", "red.global.sys.add.u32 [%at], 1;");
  std::vector<char> image(text.c_str(), text.c_str() + text.size() + 1);
  if (mode == "opaque") {
    image.assign(sizeof(Elf64_Ehdr), 0);
    std::memcpy(image.data(), ELFMAG, SELFMAG);
    image[EI_CLASS] = ELFCLASS64;
  }
  if (mode == "nvrtc") image = by_linked_nvrtc(text);
  if (mode == "opened") image = by_opened_nvrtc(text, argv[2]);
  if (mode == "linker" || mode == "lto" || mode == "archive")
    image = by_linker(text, mode == "lto", mode == "archive");
  begin();
  const CUfunction increment = function_of(load(image.data()), "increment");
  CUdeviceptr managed = 0;
  unsigned count = 1024;
  call("cuMemAllocManaged", &managed, size_t{4 * 4096}, 1u);
  auto* const data = reinterpret_cast<unsigned*>(managed);
  auto* const other = pinned_memory(4096);
  for (unsigned i = 0; i < count; ++i) data[i] = i;
  void* parameters[] = {&managed, &count};
  launch(increment, count / 32, 32, nullptr, parameters);
  other[3] = 7;  // the host works beside the device
  if (mode == "atomics") data[9] += 3;
  wait();
  other[4] = 8;  // and between two waits
  data[2048] = 9;
  wait();
  launch(increment, count / 32, 32, nullptr, parameters);
  wait();
  if (data[5] != 7) return 98;

  // Device memory, brought to memory both sides see without waiting.
  CUdeviceptr device = device_memory(4 * 4096);
  const CUstream apart = stream();
  call("cuMemsetD8_v2", device, static_cast<unsigned char>(0), size_t{4096});
  void* others[] = {&device, &count};
  launch(increment, count / 32, 32, apart, others);
  to_host_later(other, device, 4096, apart);
  wait(apart);
  wait();
  return other[5] == 1 ? 0 : 97;
}
