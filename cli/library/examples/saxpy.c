/* y = 2 x + y on a device that needs no GPU: saxpy FILE.ptx. */
#include <stdio.h>
#include <wedjat.h>

int main(int argc, char** argv) {
  float x[1000], y[1000], a = 2;
  uint32_t i, n = 1000;
  uint64_t at_x, at_y;
  WedjatDevice* device;
  WedjatModule* module;
  WedjatKernel* saxpy;
  WedjatArgument arguments[] = {WEDJAT_ARGUMENT_OF(at_y), WEDJAT_ARGUMENT_OF(at_x), WEDJAT_ARGUMENT_OF(a),
                                WEDJAT_ARGUMENT_OF(n)};
  WedjatLaunch launch = {sizeof launch, {8}, {128}};
  for (i = 0; i < n; ++i) {
    x[i] = i;
    y[i] = 1;
  }
  wedjat_check(wedjat_device_create(NULL, &device));
  wedjat_check(wedjat_module_load_file(device, argc > 1 ? argv[1] : "saxpy.ptx", &module));
  wedjat_check(wedjat_module_kernel(module, "saxpy", &saxpy));
  wedjat_check(wedjat_memory_with(device, x, sizeof x, "x", &at_x));
  wedjat_check(wedjat_memory_with(device, y, sizeof y, "y", &at_y));
  wedjat_check(wedjat_kernel_launch(saxpy, &launch, arguments, 4, NULL));
  wedjat_check(wedjat_memory_read(device, at_y, y, sizeof y));
  wedjat_check(wedjat_device_free(device));
  printf("y[999] = %g\n", y[999]);
  return y[999] == 1999 ? 0 : 1;
}
