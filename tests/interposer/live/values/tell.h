/* A line of number, or of a code, and name each. */
#ifndef WEDJAT_LIVE_VALUES_TELL_H
#define WEDJAT_LIVE_VALUES_TELL_H

#include <cuda.h>
#include <stdio.h>
#include <string.h>

static CUdevice device;
static CUcontext context;

static void number(const char* name, long long value) { printf("%lld\t%s\n", value, name); }
static void code(const char* name, CUresult result) {
  const char* text = "?";
  cuGetErrorName(result, &text);
  printf("%s\t%s\n", text, name);
}

static void use_the_device(void) {
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
}

#endif
