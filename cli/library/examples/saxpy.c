/* y = 2 x + y on a device that needs no GPU: saxpy FILE.ptx. */
#include <stdio.h>
#include <stdlib.h>
#include <wedjat.h>

static void check(WedjatStatus status) {
  if (status == WEDJAT_OK) return;
  fprintf(stderr, "%s: %s\n", wedjat_last_error()->call, wedjat_last_error()->message);
  exit(1);
}

int main(int argc, char** argv) {
  static char text[1 << 16];
  float x[1000], y[1000], a = 2;
  uint32_t i, n = 1000;
  uint64_t at_x, at_y;
  WedjatDevice* device;
  WedjatModule* module;
  WedjatKernel* saxpy;
  FILE* file = argc == 2 ? fopen(argv[1], "r") : NULL;
  WedjatSource source = {argv[1], text, file ? fread(text, 1, sizeof text, file) : 0};
  WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(at_y), WEDJAT_ARGUMENT_OF(at_x), WEDJAT_ARGUMENT_OF(a),
                                WEDJAT_ARGUMENT_OF(n)};
  WedjatLaunch launch = {sizeof launch, {8}, {128}};
  for (i = 0; i < n; ++i) x[i] = i, y[i] = 1;
  check(wedjat_device_create(NULL, &device));
  check(wedjat_module_load(device, &source, 1, &module));
  check(wedjat_module_kernel(module, "saxpy", &saxpy));
  check(wedjat_memory_allocate(device, sizeof x, "x", &at_x));
  check(wedjat_memory_allocate(device, sizeof y, "y", &at_y));
  check(wedjat_memory_write(device, at_x, x, sizeof x));
  check(wedjat_memory_write(device, at_y, y, sizeof y));
  check(wedjat_kernel_launch(saxpy, &launch, arguments, 4, NULL));
  check(wedjat_memory_read(device, at_y, y, sizeof y));
  check(wedjat_device_free(device));
  printf("y[999] = %g\n", y[999]);
  return y[999] == 1999 ? 0 : 1;
}
