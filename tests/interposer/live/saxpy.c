/* y = a x + y, through cuLaunchKernel with kernelParams and with a buffer, and every way memory moves. */
#include <string.h>

#include "tests/interposer/live/check.h"

static const char* const ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .u32 word = 9;\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y) {\n"
    "  .reg .pred %p; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %d<5>;\n"
    "  ld.param.u32 %r0, [n]; ld.param.f32 %f0, [a]; ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];\n"
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "  mad.lo.u32 %r4, %r1, %r2, %r3;\n"
    "  setp.ge.u32 %p, %r4, %r0;\n  @%p bra done;\n"
    "  mul.wide.u32 %d2, %r4, 4; add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;\n"
    "  ld.global.f32 %f1, [%d3]; ld.global.f32 %f2, [%d4];\n"
    "  fma.rn.f32 %f3, %f0, %f1, %f2; st.global.f32 [%d4], %f3;\ndone:\n  ret;\n}\n";

enum { count = 1000 };

static void check(const float* y, float a) {
  int i, off = 0;
  for (i = 0; i < count; ++i) off += y[i] != a * (float)i + 1.0f;
  EXPECT(off == 0);
}

int main(void) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction saxpy;
  CUdeviceptr x, y;
  float host_x[count], host_y[count], ones[count], a = 3.0f;
  unsigned n = count;
  int i;
  for (i = 0; i < count; ++i) host_x[i] = (float)i, ones[i] = 1.0f;

  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
  CHECK(cuMemAlloc(&x, sizeof host_x));
  CHECK(cuMemAlloc(&y, sizeof host_y));
  CHECK(cuMemcpyHtoD(x, host_x, sizeof host_x));
  CHECK(cuMemcpyHtoD(y, ones, sizeof ones));
  {
    void* parameters[] = {&n, &a, &x, &y};
    CHECK(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
  }
  CHECK(cuMemcpyDtoH(host_y, y, sizeof host_y));
  check(host_y, 3.0f);

  /* The same with a packed buffer, in a stream, between events. */
  {
    struct {
      unsigned n;
      float a;
      CUdeviceptr x, y;
    } packed = {count, 5.0f, x, y};
    size_t size = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CUstream stream;
    CUevent before, after;
    float milliseconds = -1;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuEventCreate(&before, 0));
    CHECK(cuEventCreate(&after, 0));
    CHECK(cuMemcpyHtoDAsync(y, ones, sizeof ones, stream));
    CHECK(cuEventRecord(before, stream));
    CHECK(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, stream, NULL, extra));
    CHECK(cuEventRecord(after, stream));
    memset(host_y, 0, sizeof host_y);
    CHECK(cuMemcpyDtoHAsync(host_y, y, sizeof host_y, stream));
    CHECK(cuStreamSynchronize(stream));
    CHECK(cuEventElapsedTime(&milliseconds, before, after));
    EXPECT(milliseconds >= 0);
    check(host_y, 5.0f);
    CHECK(cuStreamDestroy(stream));
    CHECK(cuEventDestroy(before));
    CHECK(cuEventDestroy(after));
  }

  /* Memory that host and device share, at one address. */
  {
    float* pinned;
    CUdeviceptr managed, same;
    CHECK(cuMemHostAlloc((void**)&pinned, sizeof host_x, 0));
    CHECK(cuMemAllocManaged(&managed, sizeof host_y, CU_MEM_ATTACH_GLOBAL));
    CHECK(cuMemHostGetDevicePointer(&same, pinned, 0));
    EXPECT(same == (CUdeviceptr)pinned);
    memcpy(pinned, host_x, sizeof host_x);
    memcpy((void*)managed, ones, sizeof ones);
    a = 7.0f;
    {
      void* parameters[] = {&n, &a, &pinned, &managed};
      CHECK(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL));
    }
    CHECK(cuCtxSynchronize());
    check((const float*)managed, 7.0f);
    CHECK(cuMemFreeHost(pinned));
    CHECK(cuMemFree(managed));
  }
  /* A variable of the module is memory of the device, whoever asks. */
  {
    CUdeviceptr variable;
    size_t bytes;
    CUmemorytype type = CU_MEMORYTYPE_HOST;
    unsigned word = 0, more = 11;
    CHECK(cuModuleGetGlobal(&variable, &bytes, module, "word"));
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, variable));
    EXPECT(type == CU_MEMORYTYPE_DEVICE);
    CHECK(cuMemcpy((CUdeviceptr)&word, variable, sizeof word));
    EXPECT(word == 9);
    CHECK(cuMemcpy(variable, (CUdeviceptr)&more, sizeof more));
    CHECK(cuMemcpyDtoH(&word, variable, sizeof word));
    EXPECT(word == 11);
    EXPECT_CODE(CUDA_ERROR_INVALID_VALUE,
                cuMemcpyHtoD((CUdeviceptr)&word, (const void*)variable, sizeof word));
  }
  CHECK(cuMemFree(x));
  CHECK(cuMemFree(y));
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return wrong;
}
