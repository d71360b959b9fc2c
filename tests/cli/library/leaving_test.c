/* A program that ends while native code of its kernels may be in the making, and frees nothing. */
#include <stdio.h>

#include "cli/library/wedjat.h"

static const char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 to) {\n"
    "  .reg .b64 %d; .reg .b32 %r<3>; .reg .pred %p;\n"
    "  ld.param.u64 %d, [to]; mov.u32 %r0, 0; mov.u32 %r1, 1;\n"
    "again: mad.lo.u32 %r1, %r1, 1664525, 1013904223; xor.b32 %r1, %r1, %r0; add.u32 %r0, %r0, 1;\n"
    "  setp.lt.u32 %p, %r0, 20000; @%p bra again;\n"
    "  st.global.u32 [%d], %r1; ret; }\n";

int main(void) {
  WedjatSource source = {"k.ptx", text, 0};
  WedjatLaunch launch = {sizeof launch, {4}, {64}};
  WedjatDevice* device;
  WedjatModule* module;
  WedjatKernel* kernel;
  uint64_t to;
  WedjatArgument argument = WEDJAT_ARGUMENT_OF(to);
  if (wedjat_device_create(NULL, &device) != WEDJAT_OK) return 1;
  if (wedjat_module_load(device, &source, 1, &module) != WEDJAT_OK) return 2;
  if (wedjat_module_kernel(module, "k", &kernel) != WEDJAT_OK) return 3;
  if (wedjat_memory_allocate(device, 4, NULL, &to) != WEDJAT_OK) return 4;
  if (wedjat_kernel_launch(kernel, &launch, &argument, 1, NULL) != WEDJAT_OK) {
    puts(wedjat_last_error()->message);
    return 5;
  }
  return 0;
}
